import { type Deployment, Namespace, Route, type StatefulSet, toCrd } from '@windlass/api'
import type { Given, Simulation } from '@windlass/kube/simulation'
import { workloadControllers, type WorkloadOptions } from '../index.ts'
import { namespace } from './drafts.ts'

const definitions = [toCrd(Route)]

/** The namespace that everything is in. */
export const given: Given = async (client) => {
  await client.create(Namespace, { metadata: { name: namespace } })
}

/** A world with the controllers of workloads in it, and nothing else. */
export function aWorld(
  seed: number,
  script: Simulation['world'],
  options: Partial<Simulation> & { readonly workloads?: Partial<WorkloadOptions> } = {},
): Simulation {
  const { workloads, ...rest } = options
  return { seed, definitions, given, controllers: () => workloadControllers({ seed, ...workloads }), world: script, ...rest }
}

/** What readers of status ask: every replica is of the newest template and in service, and that was said about the present generation. */
export function isRolledOut(workload: Deployment | StatefulSet | undefined): boolean {
  if (workload === undefined) return false
  const { metadata, spec, status } = workload
  const counts = [status?.replicas, status?.updatedReplicas, status?.readyReplicas, status?.availableReplicas]
  return status?.observedGeneration === metadata.generation && counts.every((count) => (count ?? 0) === spec.replicas)
}
