import { AsyncLocalStorage } from 'node:async_hooks'

/** Which pass of which controller over which object something happens in. */
export interface ReconcileInfo {
  readonly controller: string
  /** Tells this pass from all others, in logs of all replicas. */
  readonly reconcileID: string
  readonly namespace?: string
  readonly name: string
}

const storage = new AsyncLocalStorage<ReconcileInfo>()

/** The pass that the calling code runs in, if any. For logs, events and traces: nothing that is decided may depend on it. */
export function currentReconcile(): ReconcileInfo | undefined {
  return storage.getStore()
}

/** Runs `body`, and everything that it sets off, as part of the pass. */
export function duringReconcile<R>(info: ReconcileInfo, body: () => R): R {
  return storage.run(info, body)
}
