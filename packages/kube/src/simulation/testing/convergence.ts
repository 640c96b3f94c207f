import assert from 'node:assert/strict'
import { ConfigMap, Lease } from '@windlass/api'
import type { Given } from '../base.ts'
import { chosenFaults, type Faults } from '../faults/index.ts'
import { forEachSeed } from '../for-each-seed.ts'
import type { Invariant } from '../invariant.ts'
import { differences } from '../repeatable.ts'
import { type Simulation, simulate, type SimulationResult } from '../simulate.ts'
import type { World } from '../world.ts'
import { widgetController } from './widget-controller.ts'
import { definitions, manyWidgets, Widget } from './widgets.ts'

const count = 1000
/** Widgets that are changed and Widgets that are deleted while everything is under way. */
const changed = Array.from({ length: 60 }, (_, index) => `w${index * 13}`)
const deleted = Array.from({ length: 30 }, (_, index) => `w${index * 17 + 1}`).filter((name) => !changed.includes(name))

/** Everything at once, and far more often than in life: the work takes about a minute. */
const faults: Faults = {
  ...chosenFaults('all'),
  watchCuts: '45s',
  watchStalls: 0.1,
  compactions: '45s',
  crashes: '1m',
  leaderLoss: '1m',
  clockJumps: '30s',
}

/** All Widgets are new. */
export const allNew = manyWidgets(count)
/** Most of them are ready when it begins: there is less to do, and more runs fit into a minute. */
export const mostReady = manyWidgets(count, 900)

/**
 * A controller for a thousand Widgets in two processes, of which one leads, while everything goes wrong that can. People change and delete
 * Widgets meanwhile.
 */
export function convergence(seed: number, given: Given = allNew): Simulation {
  return {
    seed,
    definitions,
    given,
    controllers: () => [widgetController],
    processes: 2,
    faults,
    calmAfter: given === allNew ? '2m' : '1m',
    invariants: [readyWithReason, onlyTheLeaderWrites],
    world: async (world) => {
      await world.sleep('10s')
      for (const name of changed) {
        await world.client.patch(Widget, { namespace: 'default', name }, { spec: { replicas: 5000 } })
        await world.sleep(world.random.below(200))
      }
      for (const name of deleted) await world.client.delete(Widget, { namespace: 'default', name })
      await world.calm()
      await world.until(() => isConverged(world), { within: '1h', every: '5s' })
    },
  }
}

const readyWithReason: Invariant = {
  name: 'a Widget is ready only when its ConfigMap says what it asks for',
  of: Widget,
  holds(write, state) {
    const [widget, before] = [write.as(Widget), write.was(Widget)]
    if (write.verb === 'delete' || widget?.status?.replicas === before?.status?.replicas) return true
    const config = state.get(ConfigMap, { namespace: write.namespace, name: write.name })
    const says = config?.data?.replicas
    return says === String(widget?.status?.replicas) || `it says ${widget?.status?.replicas}, the ConfigMap ${says ?? 'is not there'}`
  },
}

const onlyTheLeaderWrites: Invariant = {
  name: 'only the leader writes',
  holds({ key, actor }, state) {
    if (!actor.process.startsWith('operator') || key.includes('/leases/')) return true
    const holder = state.get(Lease, { namespace: 'default', name: 'operator' })?.spec?.holderIdentity
    return holder === `${actor.process}_${actor.life}` || `${actor.process}_${actor.life} wrote while ${holder} leads`
  },
}

function isConverged({ state }: World): boolean {
  if (state.count(ConfigMap) !== count - deleted.length) return false
  return state.list(Widget).every(({ spec, status }) => status?.phase === 'Ready' && status.replicas === spec.replicas)
}

/** Nothing lost, nothing doubled: each object has been written as often as there was a reason to. */
export function assertConverged({ writes }: SimulationResult): void {
  const created = new Map<string, number>()
  const statuses = new Map<string, number>()
  for (const write of writes) {
    if (write.isOf(ConfigMap) && write.verb === 'create') created.set(write.name, (created.get(write.name) ?? 0) + 1)
    const [now, before] = [write.as(Widget)?.status, write.was(Widget)?.status]
    if (write.verb === 'update' && now?.replicas !== before?.replicas) statuses.set(write.name, (statuses.get(write.name) ?? 0) + 1)
  }
  for (let number = 0; number < count; number++) {
    const name = `w${number}`
    // A process that has not heard of a deletion makes the ConfigMap again, until it has; the server sees to it that it goes.
    if (!deleted.includes(name)) assert.ok((created.get(name) ?? 0) <= 1, `ConfigMap ${name} was created ${created.get(name)} times`)
    const reasons = changed.includes(name) ? 2 : 1
    assert.ok((statuses.get(name) ?? 0) <= reasons, `the status of ${name} was written ${statuses.get(name)} times`)
  }
}

/** Every seed converges, and all of them end in the same state. */
export async function assertSameEnd(seeds: number, given: Given): Promise<void> {
  let first: SimulationResult | undefined
  await forEachSeed({ count: seeds }, async (seed) => {
    const result = await simulate(convergence(seed, given))
    assertConverged(result)
    first ??= result
    if (result.finalState !== first.finalState) assert.fail(`seed ${seed} ends elsewhere:\n${differences(first, result).join('\n')}`)
  })
}
