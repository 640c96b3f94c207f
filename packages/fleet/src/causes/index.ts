/**
 * Why a cluster waits: chains from the cluster down to the object at the root, each link with a sentence.
 *
 *   const objects = fleet.evidence('mgmt-eu/clusters/prod')
 *   const why = await explain(objects, { clock, connect })
 *
 * - `explain.ts`: both halves. `gather/`: reads what is needed. `decide.ts`: from evidence (`evidence.ts`) to the answer, pure.
 * - `hosted/`, `pools/`, `classic/`: rules for each sort of cluster and for node pools; `workloads/`, `nodes/`: for what all of them consist of.
 * - `cause.ts`: what rules find, and in which order it is told. `together.ts`: what is the same many times. `ages.ts`: what takes too long.
 * - `activity.ts`, `verdict.ts`: the one sentence above. `commands.ts`: what to type.
 */
export { decideCauses } from './decide.ts'
export type { ClassicEvidence, ControlPlaneEvidence, Evidence, GuestEvidence, HostedEvidence, MachineEvidence } from './evidence.ts'
export { explain } from './explain.ts'
export { gather, type Means } from './gather/index.ts'
