import { once } from 'node:events'
import type { Clock, Random } from '@windlass/core'
import type { Catalogue } from '@windlass/hosted'
import { insightControllers } from '@windlass/insights'
import { type AnyController, type Cluster, createController, createEventRecorder, type Runnable } from '@windlass/kube'
import { clusterControllers, machineApiControllers, workloadControllers } from '@windlass/simulator'
import { type OpenOutside, upgradeControllers } from '@windlass/upgrades'
import { updatesOf } from '../../simulator/standalone.ts'
import type { ClassicMetrics } from './metrics.ts'
import { classicOutside } from './outside.ts'

export interface LifeParts {
  readonly clock: Clock
  readonly random: Random
  /** The releases there are. */
  readonly catalogue: Catalogue
  readonly seed: string
  readonly speed: number
  /** Whether our controllers run in it, or only the simulator. */
  readonly hasControllers: boolean
  /** Which process this is, in events. */
  readonly instance: string
  /** What is counted; nothing unless told. */
  readonly counted?: ClassicMetrics
}

const minute = 60_000

/** What runs in the classic cluster while it is there. */
export function classicLife({ client, cache, log, metrics }: Cluster, parts: LifeParts): readonly Runnable[] {
  const { clock, random, speed, hasControllers, instance, counted } = parts
  const outside = hasControllers ? classicOutside({ client, clock, random, log }) : undefined
  const recorder = createEventRecorder({ client, clock, random, log, controller: 'windlass.dev/operator', instance })
  const controllers: readonly AnyController[] = [
    ...simulation(parts),
    ...(outside === undefined
      ? []
      : [
          ...insightControllers({ speed, ...(counted === undefined ? {} : { metrics: counted.nodes }) }),
          ...upgradeControllers({ outside, random, minute: minute / speed, ...(counted === undefined ? {} : { gauges: counted.gauges }) }),
        ]),
  ]
  return [
    recorder,
    ...controllers.map((definition) => {
      const events = recorder.as(`windlass.dev/${definition.name}`)
      return createController(definition, { client, cache, clock, random, log, metrics, events })
    }),
    ...(outside === undefined ? [] : [closing(outside)]),
    ...(counted === undefined ? [] : [counted.ask(client)]),
  ]
}

/** What a laptop lacks of such a cluster. */
function simulation({ catalogue, seed, speed }: LifeParts): readonly AnyController[] {
  const pace = { seed, speed }
  return [
    ...clusterControllers({ ...pace, updates: updatesOf(catalogue) }),
    ...machineApiControllers(pace),
    ...workloadControllers({ ...pace, routes: false }),
  ]
}

function closing(outside: OpenOutside): Runnable {
  return {
    name: 'outside',
    needsLeadership: false,
    async run(signal) {
      if (!signal.aborted) await once(signal, 'abort')
      await outside.close()
    },
  }
}
