import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KubernetesObject } from '@windlass/api'
import { aCondition, aHostedCluster, aMachineDeployment, aNodePool } from '@windlass/api/fixtures'
import { type Instant, parseTime } from '@windlass/core'
import type { CacheReader } from '@windlass/kube'
import * as fc from 'fast-check'
import { poolKeyOf } from '../names.ts'
import { Annotation } from '../wire.ts'
import { NodePoolBoard } from './board.ts'

const noon: Instant = parseTime('2026-03-06T12:00:00Z') ?? assert.fail()
const skew = { source: 'Auto', policy: 'parity' } as const

/** Objects that are replaced and never changed, as in a cache. */
class Objects {
  readonly #objects = new Map<string, KubernetesObject>()

  put(object: KubernetesObject): void {
    this.#objects.set(keyOf(object), object)
  }

  remove(object: KubernetesObject): void {
    this.#objects.delete(keyOf(object))
  }

  /** As much of a cache as figures are read from. */
  get cache(): CacheReader {
    const all = (of: unknown): readonly KubernetesObject[] => {
      const { kind } = of as { readonly kind: string | { readonly kind: string } }
      return [...this.#objects.values()].filter((object) => object.kind === (typeof kind === 'string' ? kind : kind.kind))
    }
    return {
      list: all,
      get: (of: unknown, ref: { readonly name: string }) => all(of).find(({ metadata }) => metadata.name === ref.name),
      byIndex: (of: unknown, _: string, key: string) =>
        all(of).filter(({ metadata }) => metadata.annotations?.[Annotation.nodePool] === key),
    } as unknown as CacheReader
  }
}

const keyOf = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.name ?? ''}`

const name = fc.constantFrom('a', 'b', 'c')
const release = fc.constantFrom('4.17.20', '4.19.6', '4.20.1')
const ready = fc.constantFrom('True' as const, 'False' as const)

/** What can happen to pools and what belongs to them. */
const step = fc.oneof(
  fc.record({ do: fc.constant('pool' as const), name, release, ready }),
  fc.record({ do: fc.constant('machines' as const), name, ready: fc.nat(3) }),
  fc.record({ do: fc.constant('cluster' as const), release }),
  fc.record({ do: fc.constant('delete pool' as const), name }),
  fc.record({ do: fc.constant('scrape' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const changes: { readonly [D in Step['do']]: (objects: Objects, step: Extract<Step, { readonly do: D }>) => void } = {
  pool: (objects, { name: pool, release: of, ready: is }) =>
    objects.put(aNodePool({ name: pool, release: of, status: { replicas: 3, version: of, conditions: [aCondition('Ready', is)] } })),
  machines(objects, { name: pool, ready: readyReplicas }) {
    const annotations = { [Annotation.nodePool]: poolKeyOf(aNodePool({ name: pool })) }
    objects.put(aMachineDeployment({ name: pool, metadata: { annotations }, spec: { replicas: 3 }, status: { readyReplicas } }))
  },
  cluster: (objects, { release: of }) => objects.put(aHostedCluster({ release: of })),
  'delete pool': (objects, { name: pool }) => objects.remove(aNodePool({ name: pool })),
  scrape: () => {},
}

function take(objects: Objects, event: Step): void {
  // TypeScript does not see that the row of the table is that of the event.
  const change = changes[event.do] as (of: Objects, step: Step) => void
  change(objects, event)
}

const scraped = (board: NodePoolBoard, { cache }: Objects): readonly string[] =>
  [...board.pieces(cache, noon)].join('').split('\n').toSorted()

describe('what node pools are told by', () => {
  it('what is kept from one scrape to the next is what is worked out from the objects anew', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const objects = new Objects()
        const board = new NodePoolBoard(skew, noon)
        for (const event of steps) {
          if (event.do === 'scrape') scraped(board, objects)
          else take(objects, event)
        }
        assert.deepEqual(scraped(board, objects), scraped(new NodePoolBoard(skew, noon), objects))
      }),
      { numRuns: 200 },
    )
  })

  it('two who read at once take nothing away from each other, and count a transition once', () => {
    const objects = new Objects()
    const conditions = [{ ...aCondition('AllNodesHealthy', 'True'), lastTransitionTime: '2026-03-06T12:00:20Z' }]
    const metadata = { namespace: 'clusters', name: 'a', creationTimestamp: '2026-03-06T12:00:00Z' }
    objects.put(aNodePool({ metadata, status: { replicas: 3, conditions } }))
    const board = new NodePoolBoard(skew, noon)
    const slow = board.pieces(objects.cache, noon)
    slow.next()
    const quick = scraped(board, objects)
    assert.deepEqual([...slow].join('').split('\n').toSorted(), quick)
    assert.ok(quick.includes('hypershift_nodepools_transition_seconds_count{condition="AllNodesHealthy"} 1'))
  })
})
