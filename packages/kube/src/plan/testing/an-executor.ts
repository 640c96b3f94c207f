import { ConfigMap, type KubernetesObject } from '@windlass/api'
import type { CacheHandle } from '../../cache/cache.ts'
import { cached, isDeclaration } from '../../cache/declaration.ts'
import { type Action, type Execution, plan, PlanExecutor } from '../index.ts'
import type { Cluster } from './cluster.ts'
import { FakeCache } from './fake-cache.ts'
import { Gadget, Widget } from './kinds.ts'

export interface ExecutorSetup {
  /** The caches it compares with: everything, unless told. */
  readonly handles?: readonly CacheHandle<KubernetesObject>[]
  readonly allows?: (action: Action) => boolean
}

export interface ExecutorStage {
  readonly cache: FakeCache
  readonly executor: PlanExecutor
  readonly execute: (...actions: readonly Action[]) => Promise<Execution>
}

/** An executor on a real server, with a cache that the test fills. */
export function anExecutor(
  { client, events }: Cluster,
  { handles = [Widget, Gadget, ConfigMap], allows }: ExecutorSetup = {},
): ExecutorStage {
  const cache = new FakeCache()
  for (const handle of handles) cache.declare(isDeclaration(handle) ? handle : cached(handle))
  const executor = new PlanExecutor({ client, cache, events, handles, ...(allows === undefined ? {} : { allows }) })
  return { cache, executor, execute: (...actions) => executor.execute(plan(...actions)) }
}
