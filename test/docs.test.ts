import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { command } from '../scripts/tools/command.ts'
import { brokenReferences } from './docs/references.ts'
import { aCheckout, comparable, npmStart, runCommands, runTestFile, surroundings } from './docs/session.ts'
import { documents, read, root, runnableSnippets, stepsOf } from './docs/snippets.ts'

/**
 * Documents stay true: blocks marked ```` ```ts run ```` are type-checked and run as tests, blocks marked ```` ```console run ```` are typed
 * into a shell and must print what they show. Each document starts with a server of its own if its console needs one.
 */
const patience = 60_000

const snippets = documents.flatMap((document) => runnableSnippets(read(document)).map((snippet) => ({ document, ...snippet })))

describe('references', () => {
  for (const document of documents) {
    it(`of ${document} lead somewhere`, () => assert.deepEqual(brokenReferences(document), []))
  }
})

describe('code', { concurrency: 2, timeout: patience }, () => {
  const checkout = aCheckout()
  after(checkout.remove)
  const programs = snippets
    .filter(({ language }) => language === 'ts')
    .map((snippet) => ({ ...snippet, file: `${snippet.document.replaceAll(/\W/g, '-')}-${snippet.line}.test.ts` }))
  for (const { file, text } of programs) writeFileSync(join(checkout.folder, file), text)

  it('is there', () => assert.ok(programs.length > 0))

  it('has the types it claims', async () => {
    const config = { extends: join(root, 'tsconfig.json'), include: ['*.ts'] }
    writeFileSync(join(checkout.folder, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = await command(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], checkout.folder)
    // What else it complains of is not in a document, and has checks of its own.
    assert.deepEqual(
      stdout.split('\n').filter((line) => programs.some(({ file }) => line.startsWith(file))),
      [],
    )
  })

  for (const { document, heading, line, file } of programs) {
    it(`of ${document}:${line} runs: ${heading}`, async () => {
      const { passed, failed, output } = await runTestFile(file, checkout.folder)
      assert.ok(passed > 0 && failed === 0, output)
    })
  }
})

describe('sessions', { concurrency: 2, timeout: patience }, () => {
  for (const document of documents) {
    const steps = snippets.filter((each) => each.document === document && each.language === 'console').flatMap(stepsOf)
    if (steps.length === 0) continue
    it(`of ${document} print what they show`, async () => {
      const checkout = aCheckout()
      const { folder } = checkout
      const env = surroundings(folder)
      const server = await npmStart(folder, env)
      try {
        const starts = steps.filter(({ command }) => command === 'npm start')
        for (const { output } of starts) assert.equal(comparable(server.welcome, folder), comparable(output, folder))
        const others = steps.filter((step) => !starts.includes(step))
        const outputs = await runCommands(
          others.map((step) => step.command),
          folder,
          env,
        )
        const seen = others.map((step, index) => ({ ...step, output: comparable(outputs[index] ?? '', folder) }))
        assert.deepEqual(
          seen,
          others.map((step) => ({ ...step, output: comparable(step.output, folder) })),
        )
      } finally {
        await server.stop()
        checkout.remove()
      }
    })
  }
})
