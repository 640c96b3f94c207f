import assert from 'node:assert/strict'
import type { CauseLink, WhyView } from '../../contract/index.ts'

/** The object at the root, and what a machine would call what is wrong with it. */
export interface Root {
  readonly kind: string
  readonly name: RegExp
  readonly reason: RegExp
  /** The sentence must say this. */
  readonly says?: RegExp
  /** Kinds of the links above, below the cluster. */
  readonly below?: readonly string[]
}

/** The last link of the first chain. */
export function firstRoot({ chains }: WhyView): CauseLink | undefined {
  return chains[0]?.links.at(-1)
}

/** The answer names this root first, and says what to do. */
export function assertNamesFirst(view: WhyView, { kind, name, reason, says, below }: Root): void {
  const told = describe(view)
  const root = firstRoot(view)
  assert.ok(root !== undefined, `nothing is named:\n${told}`)
  assert.equal(root.object.kind, kind, told)
  assert.match(root.object.name, name, told)
  assert.match(root.reason ?? '', reason, told)
  if (says !== undefined) assert.match(root.says, says, told)
  const path = view.chains[0]?.links.slice(1, -1).map(({ object }) => object.kind)
  if (below !== undefined) assert.deepEqual(path, below, told)
  assert.ok(
    view.chains.every(({ command = '' }) => command.includes('kubectl ')),
    told,
  )
  assert.ok(view.verdict.includes(root.says), `the verdict is about something else: ${told}`)
  assert.deepEqual(view.unknown, [], told)
}

/** The whole answer, for people who look at a failed test. */
export function describe({ verdict, chains, unknown }: WhyView): string {
  const lines = chains.map(({ links, remedy = '', command = '' }) =>
    [
      ...links.map(
        ({ object, says, reason = '', since = '' }, depth) =>
          `${'  '.repeat(depth)}${object.kind} ${object.name} [${reason}] ${since}: ${says}`,
      ),
      `  -> ${remedy}`,
      `  $ ${command}`,
    ].join('\n'),
  )
  return [verdict, ...lines, ...unknown.map((sentence) => `? ${sentence}`)].join('\n')
}
