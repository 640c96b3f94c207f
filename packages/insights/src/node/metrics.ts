import type { Clock } from '@windlass/core'
import type { Gauge, Histogram, Registry } from 'prom-client'

/** What is counted about the states of nodes. */
export interface NodeStateMetrics {
  monotonic(): number
  evaluated(seconds: number): void
  /** Those whom a change of a node concerns were told. */
  notified(seconds: number): void
  /** Asked when somebody reads the metrics: nodes by phase. */
  counts(source: () => ReadonlyMap<string, number>): void
}

const prefix = 'openshift_update_experience_central_node_state_'
/** From ten microseconds to a tenth of a second: a state is worked out in much less than a millisecond. */
const buckets = [0.00001, 0.0001, 0.001, 0.01, 0.1]
const phases = ['Draining', 'Updating', 'Rebooting', 'Completed', 'Paused', 'Pending']

/** Puts the metrics into a registry, under the names that upstream gave them. */
export async function nodeStateMetrics(clock: Clock, registry: Registry): Promise<NodeStateMetrics> {
  const { Counter, Gauge, Histogram } = await import('prom-client')
  const registers = [registry]
  let source: () => ReadonlyMap<string, number> = () => new Map()
  const evaluations: Histogram = new Histogram({
    name: `${prefix}evaluation_duration_seconds`,
    help: 'How long it took to work out the state of a node.',
    buckets,
    registers,
  })
  const notifications: Histogram = new Histogram({
    name: `${prefix}notification_duration_seconds`,
    help: 'How long it took to tell those whom a change of a node concerns.',
    buckets,
    registers,
  })
  const total = new Counter({ name: `${prefix}evaluation_total`, help: 'States of nodes that were worked out.', registers })
  new Gauge({
    name: `${prefix}active_nodes`,
    help: 'Nodes whose state is known.',
    registers,
    collect(this: Gauge) {
      this.set([...source().values()].reduce((sum, count) => sum + count, 0))
    },
  })
  new Gauge({
    name: `${prefix}nodes_by_phase`,
    help: 'Nodes by where they stand in the update.',
    labelNames: ['phase'],
    registers,
    collect(this: Gauge) {
      const counts = source()
      for (const phase of phases) this.set({ phase }, counts.get(phase) ?? 0)
    },
  })
  return {
    monotonic: () => clock.monotonic(),
    evaluated(seconds) {
      total.inc()
      evaluations.observe(seconds)
    },
    notified: (seconds) => notifications.observe(seconds),
    counts(from) {
      source = from
    },
  }
}
