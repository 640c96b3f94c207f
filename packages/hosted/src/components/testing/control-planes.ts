import type { HostedControlPlane } from '@windlass/api'
import { aHostedControlPlane } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import type { Facts } from '../control-plane.ts'

export interface Told {
  readonly annotations?: Readonly<Record<string, string>>
  /** Members of the platform besides its type. */
  readonly platform?: object
  readonly hasKubeconfig?: boolean
  /** Any other field of the spec. */
  readonly [field: string]: unknown
}

/** A control plane on a platform. It may hold what our schema does not describe, as on clusters that are newer than us. */
export function aControlPlaneOn(type: string, told: Told = {}): HostedControlPlane {
  const { annotations = {}, platform = {}, hasKubeconfig = true, ...fields } = told
  const { spec, status, ...base } = aHostedControlPlane({ metadata: { annotations } })
  const { kubeConfig, ...rest } = status ?? { ready: true, initialized: true }
  const whole: unknown = {
    ...base,
    metadata: { ...aHostedControlPlane().metadata, annotations },
    spec: { ...spec, ...fields, platform: { type, ...platform } },
    status: hasKubeconfig ? { ...rest, kubeConfig } : rest,
  }
  return whole as HostedControlPlane
}

export function annotated(...names: readonly string[]): { readonly annotations: Readonly<Record<string, string>> } {
  return { annotations: Object.fromEntries(names.map((name) => [`hypershift.openshift.io/${name}`, ''])) }
}

/** Control planes of every sort. */
export const anyControlPlane: fc.Arbitrary<HostedControlPlane> = fc
  .record({
    type: fc.constantFrom('AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'PowerVS', 'None', 'OpenStack', 'GCP'),
    access: fc.constantFrom('Public', 'PublicAndPrivate', 'Private'),
    isManagedEtcd: fc.boolean(),
    isOidc: fc.boolean(),
    isForwarding: fc.boolean(),
    isEncrypted: fc.boolean(),
    hasKubeconfig: fc.boolean(),
    hasKarpenter: fc.boolean(),
    shards: fc.uniqueArray(fc.constantFrom('events', 'leases', 'secrets'), { maxLength: 2 }),
    disabled: fc.subarray(['NodeTuning', 'Ingress', 'ImageRegistry', 'Console']),
    disables: fc.subarray([
      'disable-pki-reconciliation',
      'disable-ignition-server',
      'disable-machine-management',
      'disable-monitoring-services',
    ]),
    placement: fc.constantFrom('management', 'guest'),
  })
  .map(({ access, ...told }) =>
    aControlPlaneOn(told.type, {
      ...annotated(...told.disables),
      hasKubeconfig: told.hasKubeconfig,
      platform: {
        aws: { endpointAccess: access, rolesRef: { nodePoolManagementARN: 'arn' }, terminationHandlerQueueURL: 'https://sqs' },
        azure: { topology: access, azureAuthenticationConfig: { azureAuthenticationConfigType: 'ManagedIdentities' } },
        gcp: { endpointAccess: access },
      },
      etcd: told.isManagedEtcd
        ? { managementType: 'Managed', managed: { storage: {}, shards: told.shards.map((name) => ({ name })) } }
        : { managementType: 'Unmanaged' },
      configuration: told.isOidc ? { authentication: { type: 'OIDC' } } : {},
      capabilities: { disabled: told.disabled },
      olmCatalogPlacement: told.placement,
      ...(told.isForwarding ? { monitoring: { metricsForwarding: { mode: 'Forward' } } } : {}),
      ...(told.isEncrypted ? { secretEncryption: { type: 'aescbc' } } : {}),
      ...(told.hasKarpenter ? { autoNode: { provisionerConfig: { name: 'Karpenter' } } } : {}),
    }),
  )

/** Facts that make a difference to somebody. */
export const anyFacts: fc.Arbitrary<Facts> = fc
  .record({
    secrets: fc.subarray(['service-network-admin-kubeconfig', 'prod-7k2xq-kubeconfig']),
    routes: fc.subarray(['kube-apiserver-internal', 'konnectivity-server', 'ignition-server', 'oauth-internal', 'metrics-proxy']),
  })
  .map(({ secrets, routes }) => ({
    secrets: new Map(secrets.map((name) => [name, name])),
    configMaps: new Map(),
    routes: new Set(routes),
  }))
