import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { command } from '../scripts/tools/command.ts'
import { brokenReferences } from './docs/references.ts'
import { aCheckout, comparable, npmStart, runCommands, runTestFiles, surroundings } from './docs/shell.ts'
import { documents, read, root, runnableSnippets, stepsOf } from './docs/snippets.ts'

/**
 * Documents stay true: blocks marked ```` ```ts run ```` are type-checked and run as tests, blocks marked ```` ```console run ```` are typed
 * into a shell and must print what they show. Each document starts with a server of its own if its console needs one.
 */
const patience = 180_000

const snippets = documents.flatMap((document) => runnableSnippets(read(document)).map((snippet) => ({ document, ...snippet })))

describe('references', () => {
  for (const document of documents) {
    it(`of ${document} lead somewhere`, () => assert.deepEqual(brokenReferences(document), []))
  }
})

describe('code', { concurrency: 2, timeout: patience }, () => {
  let folder = ''
  let remove = (): void => {}
  const programs = snippets
    .filter(({ language }) => language === 'ts')
    .map((snippet) => ({ ...snippet, file: `${snippet.document.replaceAll(/\W/g, '-')}-${snippet.line}.test.ts` }))

  before(() => {
    ;({ folder, remove } = aCheckout())
    for (const { file, text } of programs) writeFileSync(join(folder, file), text)
  })
  after(() => remove())

  it('is there', () => assert.ok(programs.length > 0))

  it('has the types it claims', async () => {
    const config = { extends: join(root, 'tsconfig.json'), include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = await command(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], folder)
    // What else it complains of is not in a document, and has checks of its own.
    assert.deepEqual(
      stdout.split('\n').filter((line) => programs.some(({ file }) => line.startsWith(file))),
      [],
    )
  })

  it('runs', async () => {
    const { passed, failed, output } = await runTestFiles(
      programs.map(({ file }) => file),
      folder,
    )
    assert.equal(failed, 0, output)
    assert.ok(passed >= programs.length, output)
  })
})

describe('consoles', { concurrency: 2, timeout: patience }, () => {
  for (const document of documents) {
    const steps = snippets.filter((each) => each.document === document && each.language === 'console').flatMap(stepsOf)
    if (steps.length === 0) continue
    it(`of ${document} print what they show`, async (t) => {
      const { folder, remove } = aCheckout()
      t.after(remove)
      const env = surroundings(folder)
      const server = await npmStart(folder, env, t.signal)
      try {
        const [starts, others] = [steps.filter(isStart), steps.filter((step) => !isStart(step))]
        for (const { output } of starts) assert.equal(comparable(server.welcome, folder), comparable(output, folder))
        const commands = others.map(({ command }) => command)
        const outputs = await runCommands(commands, folder, env)
        assert.deepEqual(
          outputs.map((output, index) => `$ ${commands[index]}\n${comparable(output, folder)}`),
          others.map(({ command, output }) => `$ ${command}\n${comparable(output, folder)}`),
        )
      } finally {
        await server.stop()
      }
    })
  }
})

const isStart = ({ command }: { readonly command: string }): boolean => command === 'npm start'
