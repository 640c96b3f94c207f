import type { WhyView } from '../contract/index.ts'
import type { ClusterObjects } from '../model/objects.ts'
import { decideCauses } from './decide.ts'
import { gather, type Means } from './gather/index.ts'

/**
 * Why a cluster waits. Reads what is needed beside the objects in memory (`Fleet.evidence`), each within five seconds, and nothing for a cluster that rests.
 *
 * Errors: the signal's reason when it is aborted. What cannot be read is no error: it is in `unknown`.
 */
export async function explain(objects: ClusterObjects, means: Means): Promise<WhyView> {
  const evidence = await gather(objects, means)
  return decideCauses(evidence, means.clock.now(), means.threshold)
}
