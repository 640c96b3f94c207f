import type { ControlPlaneComponent, Deployment, HostedControlPlane, StatefulSet } from '@windlass/api'
import { isTrue, setCondition } from '@windlass/core'
import type { Instant } from '@windlass/core'
import type { Lookup } from '../hosted-cluster/lookup.ts'
import { pauseOf } from '../hosted-cluster/pause.ts'
import type { Verdict } from '../hosted-cluster/verdict.ts'
import { availability } from './availability.ts'
import {
  degraded,
  etcdAvailable,
  externalDnsReachable,
  infrastructureReady,
  kubeApiServerAvailable,
  validHostedControlPlaneConfiguration,
  validReleaseInfo,
} from './health.ts'
import type { Endpoint } from './health.ts'

export type Conditions = NonNullable<NonNullable<HostedControlPlane['status']>['conditions']>

/** Everything that the conditions of a control plane are judged from. */
export interface ObservedHealth {
  readonly controlPlane: HostedControlPlane
  /** The StatefulSet `etcd`. */
  readonly etcd: StatefulSet | undefined
  /** The Deployment `kube-apiserver`. */
  readonly kubeApiServer: Deployment | undefined
  /** Deployments that are labelled as ours. */
  readonly deployments: readonly Deployment[]
  readonly components: Lookup<readonly ControlPlaneComponent[]>
  readonly endpoints: Lookup<readonly Endpoint[]>
  /** The name of the API server outside, and what became of resolving it. */
  readonly externalName: { readonly hostname: string | undefined; readonly lookup: Lookup<unknown> }
  /** Whether the API server answers at its address. */
  readonly health: Lookup<unknown>
  readonly servesRoutes: boolean
  /** Images that the last run of the components missed; undefined before there was one. */
  readonly missingImages: readonly string[] | undefined
}

/** The part of a status that tells how the control plane is doing. */
export interface ControlPlaneHealth {
  readonly conditions: Conditions
  readonly ready: boolean
}

/**
 * Judges the conditions of a control plane, in the order in which they are looked at. Those of others stay; the same list when nothing
 * changed.
 */
export function controlPlaneHealth(observed: ObservedHealth, now: Instant): ControlPlaneHealth {
  const { controlPlane, externalName, missingImages } = observed
  const etcd = etcdAvailable(controlPlane, observed.etcd)
  const apiServer = kubeApiServerAvailable(observed.kubeApiServer)
  const infrastructure = infrastructureReady(observed.endpoints)
  const available = availability({
    infrastructure,
    etcd,
    apiServer,
    hasKubeconfig: controlPlane.status?.kubeConfig !== undefined,
    health: observed.health,
    isAvailable: isTrue(controlPlane.status?.conditions, 'Available'),
    components: observed.components,
  })
  const verdicts: readonly (readonly [type: string, verdict: Verdict])[] = [
    ['ValidHostedControlPlaneConfiguration', validHostedControlPlaneConfiguration(controlPlane, observed.servesRoutes)],
    ['EtcdAvailable', etcd],
    ['KubeAPIServerAvailable', apiServer],
    ['Degraded', degraded(observed.deployments)],
    ['InfrastructureReady', infrastructure],
    ['ExternalDNSReachable', externalDnsReachable(externalName.hostname, externalName.lookup)],
    ['Available', available],
    ['ReconciliationActive', pauseOf(controlPlane.spec.pausedUntil, now).active],
    ...(missingImages === undefined ? [] : [['ValidReleaseInfo', validReleaseInfo(missingImages)] as const]),
  ]
  return { conditions: withVerdicts(controlPlane, verdicts, now), ready: available.status === 'True' }
}

/** Sets conditions of a control plane, judged from its present generation. */
export function withVerdicts(
  { metadata: { generation: observedGeneration }, status }: HostedControlPlane,
  verdicts: readonly (readonly [type: string, verdict: Verdict])[],
  now: Instant,
): Conditions {
  let conditions: Conditions = status?.conditions ?? []
  for (const [type, verdict] of verdicts) {
    conditions = setCondition(conditions, { type, ...verdict, ...(observedGeneration === undefined ? {} : { observedGeneration }) }, now)
  }
  return conditions
}
