import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { Census, countNodes, type NodeCounts } from './census.ts'
import type { NodeState } from './node-state.ts'

const pools = ['master', 'worker', 'infra'] as const
const away = { reasons: [], message: 'Node is not ready', since: undefined }

const states: fc.Arbitrary<NodeState> = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  pool: fc.constantFrom(...pools).map((name) => ({ name, selector: undefined, isPaused: false, isLayered: false })),
  phase: fc.constantFrom('Draining', 'Updating', 'Rebooting', 'Completed', 'Paused', 'Pending'),
  version: fc.constant(undefined),
  unavailability: fc.constantFrom(undefined, away),
  degradation: fc.constantFrom(undefined, 'its daemon fails'),
})

/** A node is like this from now on, or is gone. */
const events = fc.oneof(
  { weight: 4, arbitrary: states.map((state) => ({ name: state.name, state })) },
  { weight: 1, arbitrary: states.map(({ name }) => ({ name, state: undefined })) },
)

/** By looking at every node for every number. */
function countedByHand(nodes: readonly NodeState[]): NodeCounts {
  const count = (is: (state: NodeState) => boolean): number => nodes.filter(is).length
  return {
    Total: nodes.length,
    Available: count(({ unavailability }) => unavailability === undefined),
    Progressing: count(({ phase }) => ['Updating', 'Rebooting'].includes(phase)),
    Outdated: count(({ phase }) => phase !== 'Completed'),
    Draining: count(({ phase }) => phase === 'Draining'),
    Excluded: count(({ phase }) => phase === 'Paused'),
    Degraded: count(({ degradation }) => degradation !== undefined),
  }
}

describe('the census of nodes', () => {
  it('says after any changes what counting all of them says', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 60 }), (changes) => {
        const census = new Census()
        const nodes = new Map<string, NodeState>()
        for (const { name, state } of changes) {
          census.replace(nodes.get(name), state)
          if (state === undefined) nodes.delete(name)
          else nodes.set(name, state)
          for (const pool of pools) {
            const members = [...nodes.values()].filter((each) => each.pool.name === pool)
            assert.deepEqual(census.of(pool), countedByHand(members))
            assert.deepEqual(countNodes(members), countedByHand(members))
          }
        }
      }),
    )
  })
})
