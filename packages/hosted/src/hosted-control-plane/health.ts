import type { Deployment, HostedControlPlane, StatefulSet } from '@windlass/api'
import { findCondition } from '@windlass/core'
import type { Lookup } from '../hosted-cluster/lookup.ts'
import { asExpected, isNot, unknown } from '../hosted-cluster/verdict.ts'
import type { Verdict } from '../hosted-cluster/verdict.ts'

/** What conditions of a control plane say about its parts, one function each. */

export function validHostedControlPlaneConfiguration({ spec }: HostedControlPlane, servesRoutes: boolean): Verdict {
  const routed = servesRoutes ? undefined : spec.services.find(({ servicePublishingStrategy: { type } }) => type === 'Route')
  if (routed === undefined) return asExpected('Configuration passes validation')
  return isNot('InsufficientClusterCapabilities', `cluster does not support Routes, but service "${routed.service}" is exposed via a Route`)
}

/** A majority is enough: etcd goes on serving without the rest. An etcd of somebody else is taken to run. */
export function etcdAvailable({ spec }: HostedControlPlane, etcd: StatefulSet | undefined): Verdict {
  if (spec.etcd.managementType === 'Unmanaged') {
    return { status: 'True', reason: 'EtcdRunning', message: 'Etcd cluster is assumed to be running in unmanaged state' }
  }
  if (etcd === undefined) return isNot('StatefulSetNotFound', 'Etcd StatefulSet not found')
  const { replicas = 1 } = etcd.spec
  const { readyReplicas = 0 } = etcd.status ?? {}
  if (readyReplicas >= Math.floor(replicas / 2) + 1) {
    return { status: 'True', reason: 'QuorumAvailable', message: `${readyReplicas} of ${replicas} members are ready` }
  }
  return isNot('EtcdWaitingForQuorum', `Waiting for etcd to reach quorum: ${readyReplicas} of ${replicas} members are ready`)
}

export function kubeApiServerAvailable(deployment: Deployment | undefined): Verdict {
  if (deployment === undefined) return isNot('NotFound', 'Kube APIServer deployment not found')
  const available = findCondition(deployment.status?.conditions, 'Available')
  if (available === undefined) return isNot('StatusUnknown', 'Kube APIServer deployment does not say whether it is available')
  if (available.status === 'True') return asExpected('Kube APIServer deployment is available')
  return isNot('WaitingForAvailable', 'Waiting for Kube APIServer deployment to become available')
}

/**
 * `deployments` are those of the control plane's own components.
 *
 * Caveat: every rolling update shows here for a while. It is no sign of failure by itself.
 */
export function degraded(deployments: readonly Deployment[]): Verdict {
  const lacking = deployments
    .map(({ metadata: { name = '' }, status }) => ({ name, missing: status?.unavailableReplicas ?? 0 }))
    .filter(({ missing }) => missing > 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  if (lacking.length === 0) return isNot('AsExpected', 'No component has unavailable replicas')
  const message = lacking.map(({ name, missing }) => `${name} deployment has ${missing} unavailable replicas`).join(', ')
  return { status: 'True', reason: 'UnavailableReplicas', message }
}

/** A way into the control plane. Host and port are unknown until the infrastructure has given them out. */
export interface Endpoint {
  readonly service: string
  readonly isNeeded: boolean
  readonly host: string | undefined
  readonly port: number | undefined
  /** Why there is none yet, as the infrastructure tells it. */
  readonly message?: string
}

/** `endpoints` are those of the API server and of konnectivity, and of OAuth and routers where they are needed. */
export function infrastructureReady(endpoints: Lookup<readonly Endpoint[]>): Verdict {
  if (endpoints.is === 'failed') return unknown(endpoints.problem, 'InfraStatusFailure')
  const missing = endpoints.value.filter(({ isNeeded, host, port }) => isNeeded && (!host || !port))
  if (missing.length === 0) return asExpected('All is well')
  const told = missing.flatMap(({ message }) => message ?? [])
  const names = missing.map(({ service }) => service).join(', ')
  return isNot('WaitingOnInfrastructureReady', told.length > 0 ? told.join('; ') : `Cluster infrastructure is still provisioning: ${names}`)
}

/** `hostname` is the name of the API server outside; `lookup` is what became of resolving it. */
export function externalDnsReachable(hostname: string | undefined, lookup: Lookup<unknown>): Verdict {
  if (!hostname) return unknown('External DNS is not configured')
  return lookup.is === 'found' ? asExpected('All is well') : isNot('ExternalDNSHostNotReachable', lookup.problem)
}

/** `missing` are images that components have asked for and the payload does not have. */
export function validReleaseInfo(missing: readonly string[]): Verdict {
  if (missing.length === 0) return asExpected('All is well')
  return isNot('MissingReleaseImages', `the release has no images named ${missing.toSorted().join(', ')}`)
}
