import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { casesIn } from './cases.ts'

/**
 * A test reporter that prints each failure in full, the counts, what was skipped and why, and the slowest files at the end, whatever the number of tests. Which cases of the specifications were proved it
 * leaves in the file that WINDLASS_CASES names: no process knows all of them.
 */
export default async function* summary(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: string[] = []
  const cases: string[] = []
  const seconds = new Map<string, number>()
  let passed = 0
  /** Names of tests, by why they were skipped. */
  const skipped = new Map<string, string[]>()
  for await (const event of source) {
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { file = '', nesting, details } = event.data
      if (nesting === 0) seconds.set(file, (seconds.get(file) ?? 0) + (details.duration_ms ?? 0) / 1000)
    }
    if (event.type === 'test:pass' && event.data.details.type !== 'suite') {
      const { skip, name } = event.data
      if (skip === undefined) passed++
      else skipped.set(String(skip), [...(skipped.get(String(skip)) ?? []), name])
    }
    if (event.type === 'test:pass' && event.data.skip === undefined) {
      cases.push(...casesIn(event.data.name, relative(process.cwd(), event.data.file ?? '')))
    }
    if (event.type === 'test:fail' && !isOnlyParent(event.data.details.error)) {
      const { cause } = event.data.details.error
      const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
      failures.push(`✖ ${event.data.name} (${event.data.file ?? ''}:${event.data.line ?? ''})\n${text}\n`)
    }
  }
  const file = process.env['WINDLASS_CASES']
  if (file !== undefined) writeFileSync(file, cases.join('\n'))
  yield `\n${failures.join('\n')}\n${passed} passed, ${failures.length} failed, ${[...skipped.values()].flat().length} skipped\n${notRun(skipped)}${slowest(seconds)}`
}

/** Nobody is to take what was not looked at for proved. */
function notRun(skipped: ReadonlyMap<string, readonly string[]>): string {
  const shown = 3
  return Array.from(skipped, ([why, names]) => {
    const more = names.length > shown ? `, and ${names.length - shown} more` : ''
    return `  skipped${why === 'true' ? '' : ` because ${why}`}: ${names.slice(0, shown).join(', ')}${more}\n`
  }).join('')
}

/** Files that take longer than this are worth a look. */
const slow = 30

function slowest(seconds: ReadonlyMap<string, number>): string {
  const slowFiles = [...seconds].filter(([, took]) => took > slow).toSorted(([, a], [, b]) => b - a)
  return slowFiles.map(([file, took]) => `${String(Math.round(took)).padStart(5)} s ${relative(process.cwd(), file)}\n`).join('')
}

/** A suite fails with its tests; those say why. */
function isOnlyParent(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}
