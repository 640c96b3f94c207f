import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aCondition, aControlPlaneComponent, aHostedCluster } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import { MetricsStage } from './testing/stage.ts'

const names = ['a', 'b', 'c'] as const
const clusterName = fc.constantFrom(...names)
const condition = fc.tuple(fc.constantFrom('Available', 'Degraded', 'EtcdAvailable'), fc.constantFrom('True', 'False', 'Unknown'))

/** What can happen to a fleet. */
const step = fc.oneof(
  fc.record({ do: fc.constant('cluster' as const), name: clusterName, id: fc.constantFrom('1', '2'), condition }),
  fc.record({ do: fc.constant('component' as const), name: clusterName, version: fc.constantFrom('4.19.6', '4.20.1'), condition }),
  fc.record({ do: fc.constant('delete cluster' as const), name: clusterName }),
  fc.record({ do: fc.constant('delete component' as const), name: clusterName }),
  fc.record({ do: fc.constant('scrape' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

function take(stage: MetricsStage, event: Step): void {
  if (event.do === 'scrape') return void stage.text
  const cluster = { name: event.name, namespace: 'clusters' }
  const component = { namespace: `clusters-${event.name}` }
  if (event.do === 'delete cluster') stage.remove(aHostedCluster(cluster))
  else if (event.do === 'delete component') stage.remove(aControlPlaneComponent(component))
  else {
    const conditions = [aCondition(...event.condition)]
    if (event.do === 'component') stage.put(aControlPlaneComponent({ ...component, status: { version: event.version, conditions } }))
    else stage.put(aHostedCluster({ ...cluster, spec: { clusterID: event.id }, status: { conditions } }))
  }
}

/** Without histograms, which remember what has happened, and without the order of series, which means nothing. */
const told = ({ text }: MetricsStage): readonly string[] =>
  text
    .split('\n')
    .filter((line) => !line.includes('transition_seconds'))
    .toSorted()

it('what is kept and changed bit by bit is what a process says that sees the end only', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const lived = new MetricsStage().lead()
      for (const event of steps) take(lived, event)
      const last = new Map(
        steps.flatMap((event) => (event.do === 'scrape' ? [] : [[`${event.do.split(' ').at(-1)} ${event.name}`, event]])),
      )
      const fresh = new MetricsStage().lead()
      for (const event of last.values()) if (!event.do.startsWith('delete')) take(fresh, event)
      // A platform that has had clusters is known from then on, with nothing in it.
      assert.deepEqual(told(lived), told(fresh))
    }),
    { numRuns: 200 },
  )
})
