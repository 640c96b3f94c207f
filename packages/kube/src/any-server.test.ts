import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

/** Words that only code would have that treats one server otherwise than another. */
const tellsServersApart =
  /@windlass\/apiserver|ApiServer|LogicalCluster|logicalclusters|\/clusters\/[^i]|\/windlass\/|isEmbedded|gitVersion|'\/version'/

/** Comments may speak of servers; only what runs counts. */
function codeOf(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^(?:import|export) .* from '\..*'$/gm, '')
}

describe('the toolkit', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((file) => !/\.test\.ts$|\btesting\b|^simulation\//.test(file))

  it('does not know which server it talks to', () => {
    assert.ok(files.length > 100)
    assert.deepEqual(
      files.filter((file) => tellsServersApart.test(codeOf(file))),
      [],
    )
  })
})
