import { createSharedCache, type SharedCache } from '../cache/index.ts'
import type { Client } from '../client/index.ts'
import { type AnyController, createController, type ControllerRuntime } from '../controller/index.ts'
import { createEventRecorder } from '../events/index.ts'
import { createManager, type Manager, type ManagerOptions, type Runnable } from '../manager/index.ts'

export interface OperatorOptions extends Omit<ManagerOptions, 'client' | 'cache'>, Pick<ControllerRuntime, 'allows'> {
  readonly client: Client
  readonly controllers: readonly AnyController[]
  /** Which process this is, in the events it reports: the host's name, or that of the pod. */
  readonly instance: string
  /** What reads the caches besides controllers. */
  readonly followers?: readonly CacheFollower[]
  /** Objects from the cache cannot be changed, at some cost: for tests and simulations. */
  readonly freezes?: boolean
}

/** Runs beside controllers, on the same caches: for metrics, and whatever else is made from objects. */
export interface CacheFollower extends Runnable {
  /** Called once, before the caches are filled: to declare what it reads, and to hear of changes. */
  follow(cache: SharedCache): void
}

/** An operator: one set of caches, and controllers that share it. To be run. */
export function createOperator(options: OperatorOptions): Manager {
  const { client, clock, random, log, metrics, controllers, instance, freezes = false, allows, election, followers = [] } = options
  const cache = createSharedCache({ client, clock, random, log, metrics, freezes })
  const recorder = createEventRecorder({ client, clock, random, log, controller: 'windlass.dev/operator', instance })
  const manager = createManager({ ...options, cache })
  manager.add(recorder)
  for (const definition of controllers) {
    const events = recorder.as(`windlass.dev/${definition.name}`)
    const isSuccessor = election !== undefined
    const runtime = { client, cache, clock, random, log, events, metrics, isSuccessor, ...(allows === undefined ? {} : { allows }) }
    manager.add(createController(definition, runtime))
  }
  for (const follower of followers) {
    follower.follow(cache)
    manager.add(follower)
  }
  return manager
}
