import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { casesIn } from './cases.ts'

/**
 * A test reporter that prints each failure in full and the counts at the end, whatever the number of tests. Which cases of the specifications were proved it
 * leaves in the file that WINDLASS_CASES names: no process knows all of them.
 */
export default async function* summary(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: string[] = []
  const cases: string[] = []
  let passed = 0
  let skipped = 0
  for await (const event of source) {
    if (event.type === 'test:pass' && event.data.details.type !== 'suite') {
      if (event.data.skip === undefined) passed++
      else skipped++
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
  yield `\n${failures.join('\n')}\n${passed} passed, ${failures.length} failed, ${skipped} skipped\n`
}

/** A suite fails with its tests; those say why. */
function isOnlyParent(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}
