import { ConfigMap, Secret } from '@windlass/api'
import type { HostedCluster } from '@windlass/api'
import { configMapsIn, secretsIn } from './configuration-references.ts'
import { copied, uncopied } from './copying.ts'
import type { Copy } from './copying.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { combined, outcome } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { readSigningKey } from './signing-key.ts'
import { isReferenceMark } from './wire.ts'

/** One key of a Secret, and nothing else of it. */
function keyOf(
  secret: string | undefined,
  what: string,
  key: string,
  to?: { readonly name?: string; readonly type?: string },
): readonly Copy<Secret>[] {
  if (!secret) return []
  const read = ({ data }: Secret) => {
    const value = data?.[key]
    return value === undefined ? `must have a key named ${key}` : { type: to?.type ?? 'Opaque', data: { [key]: value } }
  }
  return [{ kind: Secret, what, source: secret, target: to?.name ?? secret, read }]
}

/** The credentials for registries. */
export function pullSecretSync(observed: ObservedHostedCluster): Outcome {
  const { name } = observed.cluster.spec.pullSecret
  return copied(keyOf(name, 'pull secret', '.dockerconfigjson', { name: 'pull-secret', type: 'kubernetes.io/dockerconfigjson' }), observed)
}

/** The keys that Secrets of the guest are encrypted with. A cluster that names none, or a Secret without a key, is only worth a note. */
export function secretEncryptionSync(observed: ObservedHostedCluster): Outcome {
  const { secretEncryption } = observed.cluster.spec
  if (secretEncryption?.type !== 'aescbc') return outcome({})
  const { activeKey, backupKey } = secretEncryption.aescbc ?? {}
  if (!activeKey?.name) return outcome({ notes: ['spec.secretEncryption.aescbc names no active key, so that nothing is encrypted'] })
  const copies = [...keyOf(activeKey.name, 'active aescbc key', 'key'), ...keyOf(backupKey?.name, 'backup aescbc key', 'key')]
  return copied(
    copies.map((copy) => ({ ...copy, isForgiving: true })),
    observed,
  )
}

export function auditWebhookSync(observed: ObservedHostedCluster): Outcome {
  return copied(keyOf(observed.cluster.spec.auditWebhook?.name, 'audit webhook', 'webhook-kubeconfig'), observed)
}

export function sshKeySync(observed: ObservedHostedCluster): Outcome {
  const { sshKey } = observed.cluster.spec
  if (!sshKey?.name) return uncopied({ kind: Secret, target: 'ssh-key' }, observed)
  return copied(keyOf(sshKey.name, 'SSHKey', 'id_rsa.pub', { name: 'ssh-key' }), observed)
}

export function additionalTrustBundle(observed: ObservedHostedCluster): Outcome {
  const name = observed.cluster.spec.additionalTrustBundle?.name
  if (!name) return uncopied({ kind: ConfigMap, target: 'user-ca-bundle' }, observed)
  const key = 'ca-bundle.crt'
  const read = ({ data }: ConfigMap) => (data?.[key] === undefined ? `must have a key named ${key}` : { data: { [key]: data[key] } })
  return copied([{ kind: ConfigMap, what: 'additional trust bundle', source: name, target: 'user-ca-bundle', read }], observed)
}

export function serviceAccountSigningKey(observed: ObservedHostedCluster): Outcome {
  const name = observed.cluster.spec.serviceAccountSigningKey?.name
  if (!name) return outcome({})
  const read = (secret: Secret) => {
    const key = readSigningKey(secret)
    return typeof key === 'string'
      ? `cannot be used: ${key}`
      : { data: { 'service-account.key': key.private, 'service-account.pub': key.public } }
  }
  return copied([{ kind: Secret, what: 'service account signing key', source: name, target: 'sa-signing-key', read }], observed)
}

/** The certificates for an etcd that somebody else runs. */
export function unmanagedEtcdTls(observed: ObservedHostedCluster): Outcome {
  const { managementType, unmanaged } = observed.cluster.spec.etcd
  const name = unmanaged?.tls.clientSecret.name
  if (managementType !== 'Unmanaged' || !name) return outcome({})
  const read = ({ data = {} }: Secret) => ({ type: 'Opaque', data })
  return copied([{ kind: Secret, what: 'etcd client', source: name, target: name, read }], observed)
}

/** Everything that the configuration of the guest refers to, as it is. */
export function globalConfigSync(observed: ObservedHostedCluster): Outcome {
  const { configuration } = observed.cluster.spec
  const what = 'referenced'
  const configMaps = configMapsIn(configuration).map((name): Copy<ConfigMap> => {
    const read = ({ metadata, data, binaryData }: ConfigMap) => ({
      metadata: carriedMetadata(metadata),
      ...(data === undefined ? {} : { data }),
      ...(binaryData === undefined ? {} : { binaryData }),
    })
    return { kind: ConfigMap, what, source: name, target: name, read }
  })
  const secrets = secretsIn(configuration).map((name): Copy<Secret> => {
    const read = ({ metadata, data, type }: Secret) => ({
      metadata: carriedMetadata(metadata),
      ...(data === undefined ? {} : { data }),
      ...(type === undefined ? {} : { type }),
    })
    return { kind: Secret, what, source: name, target: name, read }
  })
  return combined([copied(configMaps, observed), copied(secrets, observed)])
}

/** Labels and annotations, but for the marks that lead from the source to its clusters. */
function carriedMetadata({ labels = {}, annotations = {} }: HostedCluster['metadata']) {
  return { labels, annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => !isReferenceMark(key))) }
}

/** Names of what a cluster refers to in its own namespace: what has to be read before a pass. */
export function referencesOf({ spec }: HostedCluster): { readonly secrets: readonly string[]; readonly configMaps: readonly string[] } {
  const { aescbc } = spec.secretEncryption ?? {}
  const named = [
    spec.pullSecret.name,
    spec.sshKey?.name,
    aescbc?.activeKey.name,
    aescbc?.backupKey?.name,
    spec.auditWebhook?.name,
    spec.serviceAccountSigningKey?.name,
    spec.etcd.unmanaged?.tls.clientSecret.name,
    ...secretsIn(spec.configuration),
  ]
  const bundles = [spec.additionalTrustBundle?.name, ...configMapsIn(spec.configuration)]
  return { secrets: unique(named), configMaps: unique(bundles) }
}

function unique(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names)].filter((name): name is string => name !== undefined && name !== '')
}
