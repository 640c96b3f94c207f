import { always, int32, string, struct } from '../dsl/index.ts'

/** The scale of a workload, the same for all kinds that have one. */

export const scaleSpec = struct({
  replicas: int32,
})

export const scaleStatus = struct({
  replicas: always(int32),
  selector: string,
})
