/** `describe` and `it`, and no more: runs the tests of a file that have the text of `WINDLASS_TESTS` in their name, or in that of a group around them. */
import { inspect } from 'node:util'

const wanted = process.env['WINDLASS_TESTS'] ?? ''
const groups: string[] = []
const tests: { readonly name: string; readonly run: () => unknown }[] = []

export function describe(name: string, declare: () => void): void {
  groups.push(name)
  declare()
  groups.pop()
}

export function it(name: string, run: () => unknown): void {
  const full = [...groups, name].join(': ')
  if (full.includes(wanted)) tests.push({ name: full, run })
}

// When the file has been read, and all its tests are known.
setImmediate(() => void runAll())

async function runAll(): Promise<void> {
  if (tests.length === 0) fail(`no test has "${wanted}" in its name`)
  for (const { name, run } of tests) {
    try {
      await run()
      process.stdout.write(`passed: ${name}\n`)
    } catch (error) {
      fail(`failed: ${name}\n${inspect(error)}`)
    }
  }
}

function fail(text: string): void {
  process.stdout.write(`${text}\n`)
  process.exitCode = 1
}
