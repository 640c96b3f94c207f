import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CacheReader } from './cache.ts'
import { cached } from './declaration.ts'
import { Widget } from './testing/widgets.ts'

const widgets = cached(Widget, { indexes: { color: ({ spec }) => [spec.color ?? ''] } })

/** Never called: what it says is checked by the compiler. */
export function misuse(cache: CacheReader): void {
  // @ts-expect-error There is no such index.
  cache.byIndex(widgets, 'colour', 'red')
  // @ts-expect-error There is no such index either.
  cache.byIndexes(widgets, { colour: 'red' })
  // @ts-expect-error A kind by itself has no indexes.
  cache.byIndex(Widget, 'color', 'red')
  const [widget] = cache.list(widgets)
  if (widget === undefined) return
  // @ts-expect-error Cached objects are for reading.
  widget.spec.color = 'blue'
  // @ts-expect-error They are of the kind that was asked for.
  const name: number | undefined = cache.get(Widget, { name: 'a' })?.metadata.name
  assert.ok(name)
}

test('N5 N6 objects are read-only and indexes known by name, as far as the compiler can see', () => {
  assert.deepEqual(Object.keys(widgets.indexes), ['color'])
  assert.deepEqual(Object.keys(cached(Widget).indexes), [])
})
