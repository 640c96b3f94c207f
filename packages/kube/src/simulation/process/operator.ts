import { createSharedCache } from '../../cache/index.ts'
import { createController } from '../../controller/index.ts'
import { createEventRecorder } from '../../events/index.ts'
import { createManager } from '../../manager/index.ts'
import type { ProcessContext, Program } from './program.ts'
import { type AnyController, traced } from './trace.ts'
import { type ReconcileCounter, countingMetrics } from './counting-metrics.ts'

export interface OperatorOptions {
  readonly controllers: (process: ProcessContext) => readonly AnyController[]
  /** The Lease in the namespace `default` that its processes elect their leader by. Without it every process leads. */
  readonly lease?: string
  readonly reconciles?: ReconcileCounter
}

/** The program that runs controllers: client, caches, events, election and manager, as an operator in production has them. */
export function operator({ controllers, lease, reconciles = { count: 0 } }: OperatorOptions): Program {
  return async (process) => {
    const { name, life, client, clock, random, log, signal } = process
    const metrics = countingMetrics(reconciles)
    const cache = createSharedCache({ client, clock, random, log, metrics, freezes: true })
    const election = lease === undefined ? {} : { election: { lease: { namespace: 'default', name: lease }, identity: `${name}_${life}` } }
    const manager = createManager({ client, cache, clock, random, log, metrics, ...election })
    const recorder = createEventRecorder({ client, clock, random, log, controller: 'windlass.dev/simulation', instance: name })
    manager.add(recorder)
    for (const definition of controllers(process)) {
      const events = recorder.as(`windlass.dev/${definition.name}`)
      manager.add(createController(traced(definition), { client, cache, clock, random, log, events, metrics }))
    }
    await manager.run(signal)
  }
}
