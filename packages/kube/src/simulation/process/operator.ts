import { createOperator } from '../../operator/index.ts'
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
    const election = lease === undefined ? {} : { election: { lease: { namespace: 'default', name: lease }, identity: `${name}_${life}` } }
    const traces = controllers(process).map(traced)
    const parts = { client, clock, random, log, metrics, instance: name, freezes: true }
    await createOperator({ ...parts, controllers: traces, ...election }).run(signal)
  }
}
