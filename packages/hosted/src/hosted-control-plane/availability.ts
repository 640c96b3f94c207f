import type { ControlPlaneComponent } from '@windlass/api'
import { isTrue } from '@windlass/core'
import type { Lookup } from '../hosted-cluster/lookup.ts'
import { isNot } from '../hosted-cluster/verdict.ts'
import type { Verdict } from '../hosted-cluster/verdict.ts'

/** What a control plane needs to be available. Verdicts that nobody has reached yet are undefined. */
export interface AvailabilityFacts {
  readonly infrastructure: Verdict | undefined
  readonly etcd: Verdict | undefined
  readonly apiServer: Verdict | undefined
  readonly hasKubeconfig: boolean
  /** Whether the API server answers at its address; how it fails when it does not. */
  readonly health: Lookup<unknown>
  /** Whether the control plane is available already. */
  readonly isAvailable: boolean
  readonly components: Lookup<readonly ControlPlaneComponent[]>
}

type Row = (facts: AvailabilityFacts) => Verdict | undefined

/** The first that has something to say against it decides. */
const rows: readonly Row[] = [
  ({ infrastructure, etcd, apiServer }) =>
    infrastructure === undefined && etcd === undefined && apiServer === undefined
      ? isNot('StatusUnknown', 'Nothing is known of the control plane yet')
      : undefined,
  ({ infrastructure }) => ifFalse(infrastructure),
  ({ hasKubeconfig }) =>
    hasKubeconfig ? undefined : isNot('KubeconfigWaitingForCreate', 'Waiting for hosted control plane kubeconfig to be created'),
  ({ etcd }) => ifFalse(etcd),
  ({ apiServer }) => ifFalse(apiServer),
  ({ health }) => (health.is === 'failed' ? isNot('KASLoadBalancerNotReachable', health.problem) : undefined),
  ({ isAvailable, components }) => (isAvailable ? undefined : componentsProblem(components)),
]

/**
 * The condition Available of a control plane; `status.ready` is the same as a flag.
 *
 * What is surprising: components count only on the way there. One that breaks later shows elsewhere; infrastructure, etcd, the API server and its
 * address count always.
 */
export function availability(facts: AvailabilityFacts): Verdict {
  for (const row of rows) {
    const verdict = row(facts)
    if (verdict !== undefined) return verdict
  }
  return { status: 'True', reason: 'AsExpected', message: 'The control plane is available' }
}

function ifFalse(verdict: Verdict | undefined): Verdict | undefined {
  return verdict?.status === 'False' ? verdict : undefined
}

function componentsProblem(components: Lookup<readonly ControlPlaneComponent[]>): Verdict | undefined {
  const problem = (message: string): Verdict => isNot('ComponentsNotAvailable', message)
  if (components.is === 'failed') return problem(`Failed to check control plane component availability: ${components.problem}`)
  if (components.value.length === 0) return problem('Control plane components have not been created yet')
  const waiting = components.value
    .filter(({ status }) => !isTrue(status?.conditions, 'Available'))
    .map(({ metadata }) => metadata.name ?? '')
  return waiting.length === 0 ? undefined : problem(`Waiting for components to be available: ${waiting.toSorted().join(', ')}`)
}
