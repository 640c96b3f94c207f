import { ConfigMap, Secret } from '@windlass/api'
import type { HostedControlPlane, ObjectMeta } from '@windlass/api'
import { equalJson } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import { parse, stringify } from 'yaml'
import { namespaceOf, ownerReferenceTo, unmodelled } from '../components/control-plane.ts'
import { ensured, removed } from '../hosted-cluster/snapshot.ts'
import type { Snapshot } from '../hosted-cluster/snapshot.ts'

/** Node pools count these, and wait until all are there. */
const coreLabel = 'hypershift.openshift.io/core-ignition-config'
const configKey = 'config'

/** The authority that machines trust when they fetch their first configuration. */
const authoritySecret = 'ignition-server-ca-cert'

interface CoreConfig {
  readonly name: string
  /** Undefined when there is to be none. */
  readonly manifest: (controlPlane: HostedControlPlane, objects: Snapshot) => object | undefined
  /** The part of a manifest that makes a difference to nodes. */
  readonly meaning: (manifest: unknown) => unknown
}

const coreConfigs: readonly CoreConfig[] = [
  {
    name: 'ignition-config-fips',
    manifest: ({ spec }) => machineConfig('30-fips', { fips: spec.fips === true }),
    meaning: (manifest) => unmodelled(manifest, 'spec', 'fips') === true,
  },
  {
    name: 'ignition-config-worker-ssh',
    manifest: (controlPlane, objects) => {
      const key = sshKeyOf(controlPlane, objects)
      const user = { name: 'core', ...(key === '' ? {} : { sshAuthorizedKeys: [key] }) }
      return machineConfig('99-worker-ssh', { config: { ignition: { version: '3.2.0' }, passwd: { users: [user] } } })
    },
    meaning: (manifest) => list(unmodelled(manifest, 'spec', 'config', 'passwd', 'users')).map((user) => keysOf(user)),
  },
  {
    name: 'ignition-config-40-image-content-source',
    manifest: ({ spec }) => {
      const sources = spec.imageContentSources ?? []
      if (sources.length === 0) return undefined
      const imageDigestMirrors = sources.map(({ source, mirrors = [] }) => ({ source, mirrors: [...mirrors] }))
      return {
        apiVersion: 'config.openshift.io/v1',
        kind: 'ImageDigestMirrorSet',
        metadata: { name: 'cluster', labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
        spec: { imageDigestMirrors },
      }
    },
    // Older operators say the same as an ImageContentSourcePolicy.
    meaning: (manifest) =>
      unmodelled(manifest, 'spec', 'imageDigestMirrors') ?? unmodelled(manifest, 'spec', 'repositoryDigestMirrors') ?? [],
  },
]

/**
 * What nodes of every pool of a cluster are configured with. Node pools gather it by its label.
 *
 * Caveat: nodes are made anew when the text changes. So what another operator has written stays as it is while it means the same: a cluster that is taken
 * over keeps its nodes.
 */
export function coreIgnitionConfigs(controlPlane: HostedControlPlane, objects: Snapshot): readonly Action[] {
  return coreConfigs.flatMap(({ name, manifest, meaning }): readonly Action[] => {
    const live = objects.find(ConfigMap, { namespace: namespaceOf(controlPlane), name })
    const wanted = manifest(controlPlane, objects)
    if (wanted === undefined) return removed(ConfigMap, live, 'there is nothing to configure any more')
    const isSame = live !== undefined && equalJson(meaning(manifestIn(live)), meaning(wanted))
    const text = (isSame ? live.data?.[configKey] : undefined) ?? stringify(wanted, { lineWidth: 0, aliasDuplicateObjects: false })
    const metadata = { ...metadataOf(controlPlane, name), labels: { [coreLabel]: 'true' } }
    return ensured(objects, ConfigMap, { metadata, data: { [configKey]: text } }, 'nodes are configured with it', ['data'])
  })
}

/** Lets machines trust whoever serves them. `authority` is a certificate in PEM. */
export function ignitionAuthoritySecret(controlPlane: HostedControlPlane, authority: string, objects: Snapshot): readonly Action[] {
  const data = { 'tls.crt': Buffer.from(authority).toString('base64') }
  const metadata = metadataOf(controlPlane, authoritySecret)
  return ensured(objects, Secret, { metadata, type: 'Opaque', data }, 'machines trust who serves them their configuration', ['data'])
}

function machineConfig(name: string, spec: object): object {
  const labels = { 'machineconfiguration.openshift.io/role': 'worker' }
  return { apiVersion: 'machineconfiguration.openshift.io/v1', kind: 'MachineConfig', metadata: { name, labels }, spec }
}

function sshKeyOf(controlPlane: HostedControlPlane, objects: Snapshot): string {
  const name = controlPlane.spec.sshKey?.name
  const secret = name ? objects.find(Secret, { namespace: namespaceOf(controlPlane), name }) : undefined
  return Buffer.from(secret?.data?.['id_rsa.pub'] ?? '', 'base64').toString()
}

function keysOf(user: unknown): unknown {
  return [unmodelled(user, 'name'), list(unmodelled(user, 'sshAuthorizedKeys'))]
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Objects are immutable values: what was read once needs not be read again, and hardly a pass changes any. */
const read = new WeakMap<ConfigMap, unknown>()

function manifestIn(configMap: ConfigMap): unknown {
  if (!read.has(configMap)) read.set(configMap, parsed(configMap.data?.[configKey] ?? ''))
  return read.get(configMap)
}

/** What is no YAML means nothing. */
function parsed(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

function metadataOf(controlPlane: HostedControlPlane, name: string): ObjectMeta & { readonly name: string; readonly namespace: string } {
  return { name, namespace: namespaceOf(controlPlane), ownerReferences: [ownerReferenceTo(controlPlane)] }
}
