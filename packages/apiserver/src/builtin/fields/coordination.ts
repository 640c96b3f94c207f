import { int32, microTime, pointer, string, struct } from '../dsl/index.ts'

/** Leases: who leads. */

export const leaseSpec = struct({
  holderIdentity: pointer(string),
  leaseDurationSeconds: pointer(int32),
  acquireTime: pointer(microTime),
  renewTime: pointer(microTime),
  leaseTransitions: pointer(int32),
  strategy: pointer(string),
  preferredHolder: pointer(string),
})
