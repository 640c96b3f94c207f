import type { KubernetesObject, Resource } from '@windlass/api'
import { type Client, isForbidden, isUnknownKind } from '@windlass/kube'

/** Questions to a Kubernetes API about whoever asks. They are asked by creating them, and never stored. */
interface SelfSubjectReview extends KubernetesObject {
  readonly apiVersion: 'authentication.k8s.io/v1'
  readonly kind: 'SelfSubjectReview'
  readonly status?: { readonly userInfo?: { readonly username?: string } }
}

interface SelfSubjectAccessReview extends KubernetesObject {
  readonly apiVersion: 'authorization.k8s.io/v1'
  readonly kind: 'SelfSubjectAccessReview'
  readonly spec: { readonly resourceAttributes: { readonly group: string; readonly resource: string; readonly verb: string } }
  readonly status?: { readonly allowed?: boolean }
}

const SelfSubjectReview: Resource<SelfSubjectReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  scope: 'Cluster',
  hasStatusSubresource: false,
}

const SelfSubjectAccessReview: Resource<SelfSubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  scope: 'Cluster',
  hasStatusSubresource: false,
}

/** The name of whoever this client asks for; undefined where the server is too old to say, or does not let everybody ask. */
export async function nameOf(client: Client, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { status } = await client.create(SelfSubjectReview, { metadata: {} }, { signal })
    return status?.userInfo?.username
  } catch (error) {
    if (isUnknownKind(error) || isForbidden(error)) return undefined
    throw error
  }
}

/** Which clusters of a member somebody may know of. */
export interface Rights {
  /** To list HostedClusters, in all namespaces. */
  readonly hosted: boolean
  /** To read its ClusterVersion. */
  readonly classic: boolean
}

export async function rightsOf(client: Client, signal: AbortSignal): Promise<Rights> {
  const may = async (verb: string, group: string, resource: string): Promise<boolean> => {
    const spec = { resourceAttributes: { verb, group, resource } }
    const { status } = await client.create(SelfSubjectAccessReview, { metadata: {}, spec }, { signal })
    return status?.allowed === true
  }
  const [hosted, classic] = await Promise.all([
    may('list', 'hypershift.openshift.io', 'hostedclusters'),
    may('get', 'config.openshift.io', 'clusterversions'),
  ])
  return { hosted, classic }
}
