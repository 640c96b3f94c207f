import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedControlPlane } from '@windlass/api'
import type { Facts } from './control-plane.ts'
import { never } from './predicates.ts'
import { registry } from './registry.ts'
import { aControlPlaneOn, annotated, noFacts, withSecrets } from './testing/index.ts'

const on = aControlPlaneOn
const disabled = (...capabilities: string[]) => ({ capabilities: { disabled: capabilities } })
const platform = (member: string, fields: object) => ({ platform: { [member]: fields } })
const apiRoute = (hostname?: string) => ({
  services: [{ service: 'APIServer', servicePublishingStrategy: { type: 'Route', route: hostname === undefined ? {} : { hostname } } }],
})
const infra = withSecrets('prod-7k2xq-kubeconfig')
const admin = withSecrets('service-network-admin-kubeconfig')
const aws = { rolesRef: { nodePoolManagementARN: 'arn:x' }, terminationHandlerQueueURL: 'https://sqs' }
const forward = { monitoring: { metricsForwarding: { mode: 'Forward' } } }
const karpenter = { autoNode: { provisionerConfig: { name: 'Karpenter' } } }

/** The column "Enabled when": where a component runs, and where it does not. */
const table: Readonly<Record<string, { readonly runs: readonly Case[]; readonly rests: readonly Case[] }>> = {
  'control-plane-pki-operator': { runs: [[on('AWS')]], rests: [[on('AWS', annotated('disable-pki-reconciliation'))]] },
  etcd: { runs: [[on('AWS')]], rests: [[on('AWS', { etcd: { managementType: 'Unmanaged' } })]] },
  'openshift-oauth-apiserver': {
    runs: [[on('AWS')], [on('AWS', { configuration: { authentication: { type: 'IntegratedOAuth' } } })]],
    rests: [[on('AWS', { configuration: { authentication: { type: 'OIDC' } } })]],
  },
  'oauth-openshift': { runs: [[on('AWS')]], rests: [[on('AWS', { configuration: { authentication: { type: 'OIDC' } } })]] },
  'cluster-autoscaler': {
    runs: [[on('AWS'), infra]],
    rests: [
      [on('AWS')],
      [on('AWS'), admin],
      [on('AWS', { hasKubeconfig: false }), infra],
      [on('AWS', annotated('disable-machine-management')), infra],
    ],
  },
  'aws-cloud-controller-manager': { runs: [[on('AWS')]], rests: [[on('Azure')]] },
  'azure-cloud-controller-manager': { runs: [[on('Azure')]], rests: [[on('AWS')]] },
  'kubevirt-cloud-controller-manager': { runs: [[on('KubeVirt')]], rests: [[on('None')]] },
  'openstack-cloud-controller-manager': { runs: [[on('OpenStack')]], rests: [[on('None')]] },
  'powervs-cloud-controller-manager': { runs: [[on('PowerVS')]], rests: [[on('IBMCloud')]] },
  'gcp-cloud-controller-manager': { runs: [[on('GCP')]], rests: [[on('AWS')]] },
  'cloud-credential-operator': { runs: [[on('AWS')]], rests: [[on('Azure')]] },
  'cluster-storage-operator': { runs: [[on('AWS')], [on('None')]], rests: [[on('IBMCloud')], [on('PowerVS')]] },
  'kubevirt-csi-controller': {
    runs: [[on('KubeVirt')], [on('KubeVirt', platform('kubevirt', { storageDriver: { type: 'Manual' } }))]],
    rests: [[on('AWS')], [on('KubeVirt', platform('kubevirt', { storageDriver: { type: 'None' } }))]],
  },
  'cluster-node-tuning-operator': { runs: [[on('AWS')]], rests: [[on('AWS', disabled('NodeTuning'))]] },
  'machine-approver': {
    runs: [[on('AWS'), admin]],
    rests: [
      [on('AWS'), infra],
      [on('AWS', { hasKubeconfig: false }), admin],
      [on('AWS', annotated('disable-machine-management')), admin],
    ],
  },
  'aws-node-termination-handler': {
    runs: [
      [on('AWS', platform('aws', aws)), admin],
      [
        on('AWS', {
          ...platform('aws', { ...aws, terminationHandlerQueueURL: undefined }),
          annotations: { 'hypershift.openshift.io/aws-termination-handler-queue-url': 'https://sqs' },
        }),
        admin,
      ],
    ],
    rests: [
      [on('AWS', platform('aws', { ...aws, terminationHandlerQueueURL: undefined })), admin],
      [on('AWS', platform('aws', { ...aws, rolesRef: { nodePoolManagementARN: '' } })), admin],
      [on('AWS', platform('aws', aws))],
      [on('AWS', { hasKubeconfig: false, ...platform('aws', aws) }), admin],
      [on('KubeVirt', platform('aws', aws)), admin],
    ],
  },
  'ingress-operator': { runs: [[on('AWS')]], rests: [[on('AWS', disabled('Ingress', 'Console'))]] },
  'csi-snapshot-controller-operator': { runs: [[on('AWS')]], rests: [[on('IBMCloud')], [on('PowerVS')]] },
  'cluster-image-registry-operator': { runs: [[on('AWS')]], rests: [[on('AWS', disabled('ImageRegistry'))]] },
  'ignition-server': { runs: [[on('AWS')]], rests: [[on('AWS', annotated('disable-ignition-server'))]] },
  'ignition-server-proxy': { runs: [[on('AWS')]], rests: [[on('AWS', annotated('disable-ignition-server'))], [on('IBMCloud')]] },
  'endpoint-resolver': {
    runs: [[on('AWS', forward)]],
    rests: [[on('AWS')], [on('AWS', { ...forward, ...annotated('disable-monitoring-services') })]],
  },
  'metrics-proxy': {
    runs: [[on('AWS', forward)]],
    rests: [[on('AWS')], [on('AWS', { ...forward, ...annotated('disable-monitoring-services') })]],
  },
  router: {
    runs: [
      [on('AWS', platform('aws', { endpointAccess: 'Private' }))],
      [on('AWS', platform('aws', { endpointAccess: 'PublicAndPrivate' }))],
      [on('GCP', platform('gcp', { endpointAccess: 'Private' }))],
      [on('Azure', platform('azure', { topology: 'PublicAndPrivate', azureAuthenticationConfig: {} }))],
      [on('None', apiRoute('api.example.com'))],
    ],
    rests: [
      [on('AWS')],
      [on('AWS', platform('aws', { endpointAccess: 'Public' }))],
      [on('None', apiRoute())],
      [on('IBMCloud', apiRoute('api.example.com'))],
      [on('KubeVirt', platform('aws', { endpointAccess: 'Private' }))],
    ],
  },
  'kube-storage-version-migrator': {
    runs: [[on('AWS', { secretEncryption: { type: 'aescbc' } })]],
    rests: [[on('AWS')], [on('IBMCloud', { secretEncryption: { type: 'kms' } })], [on('PowerVS', { secretEncryption: { type: 'kms' } })]],
  },
  'olm-collect-profiles': { runs: [[on('AWS')]], rests: [[on('IBMCloud')]] },
  ...Object.fromEntries(
    ['redhat-operators-catalog', 'community-operators-catalog', 'certified-operators-catalog'].map((name) => [
      name,
      {
        runs: [[on('AWS')]],
        rests: [
          [on('AWS', { olmCatalogPlacement: 'guest' })],
          [on('AWS', { configuration: { operatorHub: { disableAllDefaultSources: true } } })],
        ],
      } satisfies { runs: readonly Case[]; rests: readonly Case[] },
    ]),
  ),
  'cluster-api': { runs: [[on('None')]], rests: [[on('AWS', annotated('disable-machine-management'))]] },
  'capi-provider': {
    runs: [[on('AWS')], [on('None', platform('agent', { agentNamespace: 'agents' }))]],
    rests: [[on('None')], [on('IBMCloud')], [on('AWS', annotated('disable-machine-management'))]],
  },
  'karpenter-operator': { runs: [[on('AWS', karpenter)]], rests: [[on('AWS')], [on('AWS', { hasKubeconfig: false, ...karpenter })]] },
  karpenter: { runs: [[on('AWS', karpenter), infra]], rests: [[on('AWS', karpenter)], [on('AWS'), infra]] },
}

type Case = readonly [hcp: HostedControlPlane, facts?: Facts]

describe('when a component runs', () => {
  for (const component of registry.components) {
    const { name, isEnabled } = component
    if (isEnabled === never) continue
    const cases = table[name]
    it(`3.8 ${name}`, () => {
      // What is not in the table runs always.
      const { runs, rests } = cases ?? {
        runs: ['AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'PowerVS', 'None'].map((type) => [on(type)] as const),
        rests: [],
      }
      for (const [hcp, facts = noFacts] of runs) assert.equal(isEnabled(hcp, facts), true, JSON.stringify(hcp.spec))
      for (const [hcp, facts = noFacts] of rests) assert.equal(isEnabled(hcp, facts), false, JSON.stringify(hcp.spec))
    })
  }

  it('3.8 the router of managed Azure cannot tell before its Routes have hosts', () => {
    const hcp = on(
      'Azure',
      platform('azure', { topology: 'Private', azureAuthenticationConfig: { azureAuthenticationConfigType: 'ManagedIdentities' } }),
    )
    const router = registry.get('router')
    const some = { ...noFacts, routes: new Set(['ignition-server', 'konnectivity-server']) }
    assert.throws(() => router?.isEnabled(hcp, some), /waiting for Routes .*: kube-apiserver-internal, oauth-internal$/)
    const all = { ...noFacts, routes: new Set([...some.routes, 'kube-apiserver-internal', 'oauth-internal']) }
    assert.equal(router?.isEnabled(hcp, all), true)
  })
})
