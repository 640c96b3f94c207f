import assert from 'node:assert/strict'
import { ConfigMap, Lease } from '@windlass/api'
import { chosenFaults, type Faults } from '../faults/index.ts'
import type { Invariant } from '../invariant.ts'
import type { Simulation, SimulationResult } from '../simulate.ts'
import type { World } from '../world.ts'
import { widgetController } from './widget-controller.ts'
import { definitions, manyWidgets, Widget } from './widgets.ts'

export const count = 1000
const given = manyWidgets(count)
/** Widgets that are changed and Widgets that are deleted while everything is under way. */
const changed = Array.from({ length: 100 }, (_, index) => `w${index * 7}`)
const deleted = Array.from({ length: 40 }, (_, index) => `w${index * 11 + 1}`).filter((name) => !changed.includes(name))

/** Everything at once, and far more often than in life: the work takes about a minute. */
const faults: Faults = {
  ...chosenFaults('all'),
  watchCuts: '30s',
  watchStalls: 0.1,
  compactions: '30s',
  crashes: '40s',
  leaderLoss: '1m',
  clockJumps: '30s',
}

/**
 * A controller for a thousand Widgets in two processes, of which one leads, while everything goes wrong that can. People change and delete
 * Widgets meanwhile.
 */
export function convergence(seed: number): Simulation {
  return {
    seed,
    definitions,
    given,
    controllers: () => [widgetController],
    processes: 2,
    faults,
    calmAfter: '2m',
    invariants: [readyWithReason, onlyTheLeaderWrites],
    world: async (world) => {
      await world.sleep('20s')
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
  let statusWrites = 0
  for (const write of writes) {
    if (write.isOf(ConfigMap) && write.verb === 'create') created.set(write.name, (created.get(write.name) ?? 0) + 1)
    if (write.as(Widget)?.status !== write.was(Widget)?.status && write.verb === 'update' && write.actor.process !== 'world') statusWrites++
  }
  for (let number = 0; number < count; number++) {
    const name = `w${number}`
    if (!deleted.includes(name)) assert.equal(created.get(name), 1, `ConfigMap ${name} was created ${created.get(name)} times`)
  }
  const reasons = count + changed.length
  assert.ok(statusWrites >= count - deleted.length && statusWrites <= reasons, `${statusWrites} status writes for ${reasons} reasons`)
}
