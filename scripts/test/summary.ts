import type { TestEvent } from 'node:test/reporters'

/** A test reporter that prints each failure in full and the counts at the end, whatever the number of tests. */
export default async function* summary(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: string[] = []
  let passed = 0
  let skipped = 0
  for await (const event of source) {
    if (event.type === 'test:pass' && event.data.details.type !== 'suite') {
      if (event.data.skip === undefined) passed++
      else skipped++
    }
    if (event.type === 'test:fail' && !isOnlyParent(event.data.details.error)) {
      const { cause } = event.data.details.error
      const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
      failures.push(`✖ ${event.data.name} (${event.data.file ?? ''}:${event.data.line ?? ''})\n${text}\n`)
    }
  }
  yield `\n${failures.join('\n')}\n${passed} passed, ${failures.length} failed, ${skipped} skipped\n`
}

/** A suite fails with its tests; those say why. */
function isOnlyParent(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}
