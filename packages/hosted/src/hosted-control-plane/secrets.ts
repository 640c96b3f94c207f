import { Secret } from '@windlass/api'
import type { HostedControlPlane, ObjectMeta } from '@windlass/api'
import type { Random } from '@windlass/core'
import { create } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import type { KubeconfigRequest } from '../components/index.ts'
import { infraKubeconfigOf, namespaceOf, ownerReferenceTo } from '../components/control-plane.ts'
import { ensured, removed } from '../hosted-cluster/snapshot.ts'
import type { Snapshot } from '../hosted-cluster/snapshot.ts'

/** Where people find how to get into the guest. */
export const adminKubeconfig = { name: 'admin-kubeconfig', key: 'kubeconfig' } as const
/** The same by the name that people have given the API server. */
export const customKubeconfig = { name: 'custom-admin-kubeconfig', key: 'kubeconfig' } as const
export const kubeadminPassword = 'kubeadmin-password'

/** The same kubeconfig, under the names that people, components and Cluster API look for. */
export function kubeconfigSecrets(controlPlane: HostedControlPlane, kubeconfig: string, objects: Snapshot): readonly Action[] {
  const clusterApi = { type: 'cluster.x-k8s.io/secret', labels: { 'cluster.x-k8s.io/cluster-name': controlPlane.spec.infraID } }
  return [
    ...kubeconfigSecret(controlPlane, adminKubeconfig.name, { kubeconfig }, objects),
    ...kubeconfigSecret(controlPlane, 'service-network-admin-kubeconfig', { kubeconfig }, objects),
    ...kubeconfigSecret(controlPlane, infraKubeconfigOf(controlPlane), { value: kubeconfig }, objects, clusterApi),
    ...customKubeconfigSecret(controlPlane, kubeconfig, objects),
  ]
}

/** Goes when people take the name back. */
function customKubeconfigSecret(controlPlane: HostedControlPlane, kubeconfig: string, objects: Snapshot): readonly Action[] {
  const { kubeAPIServerDNSName: name } = controlPlane.spec
  if (name !== undefined && name !== '')
    return kubeconfigSecret(controlPlane, customKubeconfig.name, { kubeconfig: withHost(kubeconfig, name) }, objects)
  const live = objects.find(Secret, { namespace: namespaceOf(controlPlane), name: customKubeconfig.name })
  return live !== undefined && isOwnedBy(controlPlane, live) ? removed(Secret, live, 'its API server has no name of its own') : []
}

/** A kubeconfig in base64, with another host in the address of its server. */
function withHost(kubeconfig: string, host: string): string {
  const text = Buffer.from(kubeconfig, 'base64').toString()
  return Buffer.from(text.replaceAll(/(server"?: *"?https:\/\/)(?:\[[^\]]*\]|[^:/"\s]+)/g, `$1${host}`)).toString('base64')
}

function isOwnedBy(controlPlane: HostedControlPlane, { metadata }: Secret): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === controlPlane.metadata.uid) === true
}

/** A component acts as an account of the guest with it. */
export function accountKubeconfig(
  controlPlane: HostedControlPlane,
  { secret }: KubeconfigRequest,
  kubeconfig: string,
  objects: Snapshot,
): readonly Action[] {
  return kubeconfigSecret(controlPlane, secret, { kubeconfig }, objects)
}

function kubeconfigSecret(
  controlPlane: HostedControlPlane,
  name: string,
  data: Readonly<Record<string, string>>,
  objects: Snapshot,
  { type = 'Opaque', labels }: { readonly type?: string; readonly labels?: Readonly<Record<string, string>> } = {},
): readonly Action[] {
  const metadata = { ...metadataOf(controlPlane, name), ...(labels === undefined ? {} : { labels }) }
  return ensured(objects, Secret, { metadata, type, data }, 'the guest is reached with it', ['data'])
}

/** Nobody who configures how people log in wants a password that everybody who can read the Secret has. */
export function wantsPassword({ spec }: HostedControlPlane): boolean {
  return spec.configuration?.oauth === undefined
}

/** The first password: drawn once, and taken back when people log in some other way. */
export function passwordSecret(controlPlane: HostedControlPlane, objects: Snapshot, random: Random): readonly Action[] {
  const live = objects.find(Secret, { namespace: namespaceOf(controlPlane), name: kubeadminPassword })
  if (!wantsPassword(controlPlane)) {
    return live !== undefined && isOwnedBy(controlPlane, live) ? removed(Secret, live, 'people log in some other way') : []
  }
  if (live !== undefined) return []
  const data = { password: Buffer.from(drawPassword(random)).toString('base64') }
  return [
    create(
      Secret,
      { metadata: metadataOf(controlPlane, kubeadminPassword), type: 'Opaque', data },
      'somebody must be able to log in first',
    ),
  ]
}

/** Without characters that look alike. */
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ23456789'

/** `aBcDe-FgHiJ-kLmNo-PqRsT`: what people copy from a screen. */
function drawPassword(random: Random): string {
  const group = (): string => Array.from({ length: 5 }, () => letters[random.below(letters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

function metadataOf(controlPlane: HostedControlPlane, name: string): ObjectMeta & { readonly name: string; readonly namespace: string } {
  return { name, namespace: namespaceOf(controlPlane), ownerReferences: [ownerReferenceTo(controlPlane)] }
}
