import { seededRandom, VirtualClock } from '@windlass/core'
import type { KubernetesObject } from '@windlass/api'
import type { Client } from '../../client/index.ts'
import { FakeCache } from '../../plan/testing/index.ts'
import { type ControllerRunner, type ControllerRuntime, createController } from '../index.ts'
import type { Definition } from '../reconciler.ts'
import { type Message, recordedLog, recordedMetrics } from './recorded.ts'

/** A controller on a virtual clock, with a cache that the test fills. */
export interface Stage {
  readonly clock: VirtualClock
  readonly cache: FakeCache
  readonly runner: ControllerRunner
  readonly messages: readonly Message[]
  readonly counts: readonly string[]
  /** Starts it; what it resolves with is the end of the run. */
  run(): Promise<void>
  stop(reason?: unknown): void
}

export function stage<T extends KubernetesObject, Observed>(
  definition: Definition<T, Observed>,
  runtime: Partial<ControllerRuntime> & { readonly clock?: VirtualClock } = {},
): Stage {
  const clock = runtime.clock ?? new VirtualClock()
  const cache = new FakeCache()
  const messages: Message[] = []
  const counts: string[] = []
  const runner = createController(definition, {
    client: noClient,
    random: seededRandom('test'),
    log: recordedLog(messages),
    metrics: recordedMetrics(counts),
    events: { record: () => {} },
    ...runtime,
    cache,
    clock,
  })
  const stop = new AbortController()
  return { clock, cache, runner, messages, counts, run: () => runner.run(stop.signal), stop: (reason) => stop.abort(reason) }
}

/** For controllers that write nothing. */
const noClient = new Proxy({} as Client, {
  get: (_, name) => () => Promise.reject(new Error(`a request that should not be: ${String(name)}`)),
})
