import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where a simulation was started from, as far as the stack tells. To be taken when it starts: later the stack has forgotten. */
export class Origin {
  readonly #stack: string

  constructor() {
    this.#stack = new Error('origin').stack ?? ''
  }

  /** The line that runs one seed of the test again. */
  reproduction(seed: number | string): string {
    // The outermost: what is above it are helpers of the test.
    const frame = [...this.#stack.matchAll(/(file:\/\/[^\s()]+\.test\.ts):(\d+)/g)].at(-1)
    if (frame === undefined) return `WINDLASS_SEED=${seed} node --test <file>`
    const file = fileURLToPath(frame[1] ?? '')
    const name = testAround(file, Number(frame[2]))
    const pattern = name === undefined ? '' : ` --test-name-pattern='${name}'`
    return `WINDLASS_SEED=${seed} node --test${pattern} ${relative(process.cwd(), file)}`
  }
}

/**
 * The name of the test that a line is in, as a pattern: the last one that begins above it. (The test runner's own answer to this question follows
 * who woke whom, and is another test's name as soon as two of them have shared anything.)
 */
function testAround(file: string, line: number): string | undefined {
  const above = readFileSync(file, 'utf8').split('\n').slice(0, line).join('\n')
  const begin = /^\s*(?:it|test)\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/gm
  const last = [...above.matchAll(begin)].at(-1)
  const name = last?.[1] ?? last?.[2] ?? last?.[3]
  return name === undefined ? undefined : asPattern(name)
}

/** A regular expression that matches the name, fit for the single quotes of a shell. What is filled in at run time may be anything. */
function asPattern(name: string): string {
  const plain = name.replaceAll(/\\(.)/g, '$1').split(/\$\{[^}]*\}/)
  return plain.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll("'", '.')).join('.*')
}
