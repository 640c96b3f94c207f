import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { widgets } from '@windlass/apiserver/testing'
import { ConfigMap, Secret } from '@windlass/api'
import { Widget, widgetDraft } from '../plan/testing/index.ts'
import { forEachSeed, simulate, type World } from '../simulation/index.ts'
import { painter } from './testing/index.ts'

const colors = ['red', 'blue', 'green']

/** People create, change and delete, while everything goes wrong that can. */
async function life({ client, state, sleep, calm, settled }: World): Promise<void> {
  for (const [index, color] of colors.entries()) {
    await client.create(Secret, { metadata: { namespace: 'default', name: color } })
    for (let number = 0; number < 4; number++) await client.create(Widget, widgetDraft(`${color}-${number}`, { color }))
    await sleep(`${10 + index}s`)
  }
  await client.patch(Widget, { namespace: 'default', name: 'red-0' }, { spec: { color: 'blue' } })
  await sleep('30s')
  await client.delete(Widget, { namespace: 'default', name: 'red-1' })
  await client.patch(ConfigMap, { namespace: 'default', name: 'blue-0' }, { data: { color: 'wrong' } }).catch(() => {})
  await calm()
  await settled({ within: '2h' })
  const seen = state.list(Widget).map(({ metadata, spec, status }) => `${metadata.name} ${spec.color} ${status?.phase}`)
  assert.deepEqual(
    seen.toSorted(),
    [
      'red-0 blue Painted',
      'red-2 red Painted',
      'red-3 red Painted',
      ...[0, 1, 2, 3].flatMap((number) => ['blue', 'green'].map((color) => `${color}-${number} ${color} Painted`)),
    ].toSorted(),
  )
  for (const { metadata, spec } of state.list(Widget)) {
    assert.deepEqual(state.get(ConfigMap, { namespace: 'default', name: metadata.name ?? '' })?.data, { color: spec.color })
  }
  assert.equal(state.get(ConfigMap, { namespace: 'default', name: 'red-1' }), undefined)
}

describe('a controller in a world where everything goes wrong', () => {
  it('N8 ends where it should: lost requests and answers, conflicts, broken watches, forgotten history, crashes, clock jumps', async () => {
    await forEachSeed({ count: 12 }, (seed) =>
      simulate({ seed, definitions: [widgets], controllers: () => [painter], processes: 2, faults: 'all', calmAfter: '3m', world: life }),
    )
  })
})
