import { HostedCluster, Secret } from '@windlass/api'
import type { JsonObject, OwnerReference } from '@windlass/api'
import { create, patch, refOf } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import { infraIDFor } from './identifiers.ts'
import type { Identifiers } from './identifiers.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { Finalizer } from './wire.ts'

/** What a cluster lacks before anything can be made for it, or why it cannot be completed. */
export interface Completion {
  readonly actions: readonly Action[]
  readonly problem: string | undefined
}

/**
 * Completes the cluster itself: our finalizer, its identifiers, and what its platform leaves to us. Undefined when there is nothing to complete.
 *
 * One write, and the pass ends: it brings about the next pass, which sees a cluster that is whole. Identifiers are given to no paused cluster.
 */
export function completionOf(observed: ObservedHostedCluster, identifiers: Identifiers, isPaused: boolean): Completion | undefined {
  const { cluster } = observed
  const platform = cluster.spec.platform.type === 'KubeVirt' ? kubevirtDefaults(observed, identifiers) : none
  if (platform.problem !== undefined) return { actions: [], problem: platform.problem }
  const spec: JsonObject = { ...platform.spec, ...(isPaused ? {} : missingIdentifiers(cluster, identifiers)) }
  const { finalizers = [] } = cluster.metadata
  const metadata = finalizers.includes(Finalizer.cluster) ? {} : { metadata: { finalizers: [...finalizers, Finalizer.cluster] } }
  const change: JsonObject = { ...metadata, ...(Object.keys(spec).length === 0 ? {} : { spec }) }
  if (Object.keys(change).length === 0) return undefined
  const reason = 'nothing can be made for a cluster that is not complete, nor without our finalizer on it'
  return { actions: [...platform.actions, patch(HostedCluster, refOf(cluster), change, reason, { ifStill: cluster })], problem: undefined }
}

function missingIdentifiers({ metadata: { name = '' }, spec }: HostedCluster, { clusterID, infraSuffix }: Identifiers): JsonObject {
  return {
    ...((spec.clusterID ?? '') === '' ? { clusterID } : {}),
    ...((spec.infraID ?? '') === '' ? { infraID: infraIDFor(name, infraSuffix) } : {}),
  }
}

interface Defaults {
  readonly spec: JsonObject
  /** To be done before the cluster is changed: it refers to the result. */
  readonly actions: readonly Action[]
  readonly problem: string | undefined
}

const none: Defaults = { spec: {}, actions: [], problem: undefined }

function kubevirtDefaults(observed: ObservedHostedCluster, { generateID, encryptionKey }: Identifiers): Defaults {
  const { cluster, management } = observed
  const { platform, dns, secretEncryption } = cluster.spec
  const spec: Record<string, JsonObject> = {}
  const actions: Action[] = []
  if ((platform.kubevirt?.generateID ?? '') === '') spec['platform'] = { kubevirt: { generateID } }
  if (platform.kubevirt?.baseDomainPassthrough === true && (dns?.baseDomain ?? '') === '') {
    if (management.ingressDomain === undefined) {
      const problem =
        'spec.platform.kubevirt.baseDomainPassthrough asks for a name below that of the management cluster, whose ingress domain is not known; set spec.dns.baseDomain'
      return { ...none, problem }
    }
    spec['dns'] = { baseDomain: management.ingressDomain }
  }
  const isKeyMissing = secretEncryption === undefined || (secretEncryption.type === 'aescbc' && !secretEncryption.aescbc?.activeKey.name)
  if (isKeyMissing) {
    const name = `${cluster.metadata.name ?? ''}-etcd-encryption-key`
    spec['secretEncryption'] = { type: 'aescbc', aescbc: { activeKey: { name } } }
    actions.push(...encryptionKeySecret(observed, name, encryptionKey))
  }
  return { spec, actions, problem: undefined }
}

/** A key that is there is kept, wherever it came from: another one could not read what it has encrypted. */
function encryptionKeySecret({ cluster, objects }: ObservedHostedCluster, name: string, key: string): readonly Action[] {
  const { namespace = '' } = cluster.metadata
  if (objects.find(Secret, { namespace, name }) !== undefined) return []
  const metadata = { name, namespace, ownerReferences: [ownerReferenceTo(cluster)] }
  return [create(Secret, { metadata, type: 'Opaque', data: { key } }, 'Secrets of the cluster are encrypted with it')]
}

export function ownerReferenceTo({ apiVersion, kind, metadata: { name = '', uid = '' } }: HostedCluster): OwnerReference {
  return { apiVersion, kind, name, uid }
}
