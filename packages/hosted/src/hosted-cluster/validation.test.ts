import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import type { HostedCluster, KubernetesObject } from '@windlass/api'
import { aConfigMap, aNamespace } from '@windlass/api/fixtures'
import { validProxyConfiguration } from './proxy.ts'
import { supported } from './support.ts'
import { aCompleteCluster, annotated, aUserSecret, belongings, management, noon, observationOf, World } from './testing/index.ts'
import type { Told } from './testing/index.ts'
import { validConfiguration } from './validation.ts'
import { Annotation } from './wire.ts'

type Spec = HostedCluster['spec']
type Service = Spec['services'][number]

interface Given extends Told {
  readonly spec?: Partial<Spec>
  readonly annotations?: Record<string, string>
  readonly objects?: readonly KubernetesObject[]
  readonly unserved?: readonly string[]
}

function observed({ spec = {}, annotations = {}, objects = [], unserved = [], ...told }: Given) {
  const cluster = aCompleteCluster({ ...annotated(annotations), spec })
  return observationOf(new World([...belongings, cluster, ...objects], unserved), told)
}

/** What is said to be wrong; empty when nothing is. */
function wrong(given: Given): string {
  const { status, reason, message } = validConfiguration(observed(given))
  assert.equal(reason, status === 'True' ? 'AsExpected' : 'InvalidConfiguration')
  return status === 'True' ? '' : message
}

const published = (service: Service['service'], servicePublishingStrategy: Service['servicePublishingStrategy']): Service => ({
  service,
  servicePublishingStrategy,
})
const routed = (['OAuthServer', 'Konnectivity', 'Ignition'] as const).map((service) => published(service, { type: 'Route' }))
const aws = {
  region: 'eu-west-1',
  rolesRef: {
    ingressARN: 'a',
    imageRegistryARN: 'a',
    storageARN: 'a',
    networkARN: 'a',
    kubeCloudControllerARN: 'a',
    nodePoolManagementARN: 'a',
    controlPlaneOperatorARN: 'a',
  },
} as const

describe('a configuration is valid', () => {
  it('as the fixture has it', () => assert.equal(wrong({}), ''))
})

describe('a configuration is refused', () => {
  it('with everything that is wrong in one message', () => {
    const message = wrong({ unserved: ['Route'], spec: { clusterID: 'no', platform: { type: 'Azure' } } })
    assert.match(message, /OAuthServer is published by a Route, which the management cluster does not support; /)
    assert.match(message, /spec\.platform\.azure must be set/)
    assert.match(message, /spec\.clusterID: "no" is no UUID/)
  })

  it('with a signing key that is missing, lacks its key or is none', () => {
    const spec = { serviceAccountSigningKey: { name: 'signer' } }
    const secret = (data: Record<string, string>) => aUserSecret('signer', data)
    const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    assert.match(wrong({ spec }), /signingKey: Secret clusters\/signer not found/i)
    assert.match(wrong({ spec, objects: [secret({ other: 'x' })] }), /must have a key named "key"/)
    assert.match(wrong({ spec, objects: [secret({ key: 'nonsense' })] }), /is no private key in PEM form/)
    assert.match(wrong({ spec: { ...spec, issuerURL: '' }, objects: [secret({ key: pem })] }), /spec\.issuerURL must be set/)
    assert.equal(wrong({ spec, objects: [secret({ key: pem })] }), '')
  })

  it('on AWS without its member', () => assert.match(wrong({ spec: { platform: { type: 'AWS' } } }), /spec\.platform\.aws must be set/))

  const onAws = (strategy: Service['servicePublishingStrategy'], access: 'Public' | 'Private' = 'Public', others = routed): string =>
    wrong({
      spec: { platform: { type: 'AWS', aws: { ...aws, endpointAccess: access } }, services: [published('APIServer', strategy), ...others] },
    })

  it('on AWS with services that are published otherwise than nodes expect', () => {
    const nodePort = { type: 'NodePort', nodePort: { address: 'nodes.example.com' } } as const
    assert.equal(onAws({ type: 'LoadBalancer' }), '')
    assert.equal(onAws({ type: 'Route', route: { hostname: 'api.example.com' } }), '')
    assert.match(onAws({ type: 'Route' }), /APIServer is published by a Route, which needs a hostname/)
    assert.match(onAws({ type: 'Route' }, 'Private'), /needs a hostname/)
    assert.match(onAws(nodePort), /APIServer is published by NodePort and must be by LoadBalancer, or by a Route with a hostname/)
    assert.match(onAws(nodePort, 'Private'), /must be by Route or LoadBalancer/)
    const message = onAws({ type: 'LoadBalancer' }, 'Public', [published('Konnectivity', nodePort)])
    assert.match(message, /Konnectivity is published by NodePort and must be by Route; .*OAuthServer is missing; .*Ignition is missing/)
    assert.match(wrong({ spec: { platform: { type: 'AWS', aws }, services: routed } }), /APIServer is missing/)
  })

  it('on KubeVirt when its infrastructure cannot be reached, unless that is to be overlooked', () => {
    const kubevirtProblem = 'the infrastructure cluster does not answer'
    assert.equal(wrong({ kubevirtProblem }), kubevirtProblem)
    assert.equal(wrong({ kubevirtProblem, annotations: { [Annotation.allowUnsupportedKubevirt]: 'TRUE' } }), '')
    assert.equal(wrong({ kubevirtProblem, annotations: { [Annotation.allowUnsupportedKubevirt]: 'yes' } }), kubevirtProblem)
    assert.equal(wrong({ kubevirtProblem, spec: { platform: { type: 'None' } } }), '')
  })

  it('for Agent machines without their namespace', () => {
    assert.match(wrong({ spec: { platform: { type: 'Agent' } } }), /spec\.platform\.agent must be set/)
    const spec = { platform: { type: 'Agent', agent: { agentNamespace: 'agents' } } } as const
    assert.match(wrong({ spec }), /Namespace agents not found/)
    assert.equal(wrong({ spec, objects: [aNamespace({ name: 'agents' })] }), '')
  })

  it('when two services have one hostname', () => {
    const services = [
      published('APIServer', { type: 'LoadBalancer', loadBalancer: { hostname: 'a.example.com' } }),
      published('OAuthServer', { type: 'Route', route: { hostname: 'a.example.com' } }),
    ]
    assert.match(wrong({ spec: { services } }), /APIServer and OAuthServer have the same hostname a\.example\.com/)
  })

  it('1.9 with images in the place of those of the release that cannot be read', () => {
    const overriding = (value: string) => wrong({ annotations: { [Annotation.imageOverrides]: value } })
    assert.equal(overriding('etcd=example.com/etcd:1,cli=example.com/cli:1'), '')
    assert.match(
      overriding('etcd:example.com/etcd'),
      /^annotation hypershift\.openshift\.io\/image-overrides: "etcd:example.com\/etcd" is not name=image: write/,
    )
  })

  it('when a bundle of authorities is missing or empty', () => {
    const spec = { additionalTrustBundle: { name: 'ca' }, configuration: { proxy: { trustedCA: { name: 'proxy-ca' } } } }
    assert.match(
      wrong({ spec }),
      /additionalTrustBundle: ConfigMap clusters\/ca not found; spec\.configuration\.proxy\.trustedCA: ConfigMap clusters\/proxy-ca not found/,
    )
    const empty = aConfigMap({ name: 'ca', namespace: 'clusters', data: {} })
    assert.match(wrong({ spec: { additionalTrustBundle: { name: 'ca' } }, objects: [empty] }), /must have a ca-bundle\.crt key/)
  })
})

describe('networks are refused', () => {
  const range = (cidr: string) => [{ cidr }]
  const wrongWith = (networking: Partial<Spec['networking']>, spec: Partial<Spec> = {}): string =>
    wrong({
      spec: {
        networking: {
          networkType: 'OVNKubernetes',
          clusterNetwork: range('10.132.0.0/14'),
          serviceNetwork: range('172.31.0.0/16'),
          ...networking,
        },
        ...spec,
      },
    })

  it('when they are no ranges', () =>
    assert.match(wrongWith({ machineNetwork: range('10.0.0.0/40') }), /machineNetwork: "10\.0\.0\.0\/40" is no range/))
  it('when primary ones mix IPv4 and IPv6', () =>
    assert.match(wrongWith({ serviceNetwork: range('fd02::/112') }), /IPv4 and IPv6 are mixed/))
  it('when the advertised address is of the other kind', () =>
    assert.match(wrongWith({ apiServer: { advertiseAddress: 'fd00::5' } }), /apiServer\.advertiseAddress fd00::5/))
  it('not when only second entries are of the other kind', () =>
    assert.equal(
      wrongWith({
        clusterNetwork: [...range('10.132.0.0/14'), ...range('fd01::/48')],
        serviceNetwork: [...range('172.31.0.0/16'), ...range('fd02::/112')],
      }),
      '',
    ))
  it('when two overlap, also by a part', () =>
    assert.match(
      wrongWith({ machineNetwork: range('10.133.5.0/24') }),
      /machineNetwork 10\.133\.5\.0\/24 and clusterNetwork 10\.132\.0\.0\/14 overlap/,
    ))
  it('when one contains the address at which nodes find the API server', () => {
    assert.match(wrongWith({ machineNetwork: range('172.20.0.0/16') }), /machineNetwork 172\.20\.0\.0\/16 contains 172\.20\.0\.1/)
    assert.match(wrongWith({ clusterNetwork: range('fd00::/48'), serviceNetwork: range('fd02::/112') }), /contains fd00::1/)
    assert.equal(wrongWith({ machineNetwork: range('172.20.0.0/16'), apiServer: { advertiseAddress: '192.0.2.1' } }), '')
  })
  const nodePort = (address: string, port?: number): Partial<Spec> => ({
    services: [published('APIServer', { type: 'NodePort', nodePort: { address, ...(port === undefined ? {} : { port }) } }), ...routed],
  })
  it('when a node has an address of the service network', () =>
    assert.match(wrongWith({}, nodePort('172.31.4.4')), /node port address 172\.31\.4\.4 of APIServer lies in the service network/))
  it('when a node port is out of range', () => {
    assert.match(wrongWith({}, nodePort('192.0.2.1', 6443)), /node port 6443 of APIServer is outside of 30000-32767/)
    for (const port of [0, 30000, 32767]) assert.equal(wrongWith({}, nodePort('192.0.2.1', port)), '')
    const configuration = { network: { serviceNodePortRange: '6000-7000' } } as Spec['configuration']
    assert.equal(wrongWith({}, { ...nodePort('192.0.2.1', 6443), ...(configuration === undefined ? {} : { configuration }) }), '')
  })
  it('but not on IBM Cloud', () =>
    assert.equal(wrongWith({ machineNetwork: range('10.133.5.0/24') }, { platform: { type: 'IBMCloud' } }), ''))
})

describe('a cluster is supported', () => {
  const support = (access: 'Public' | 'Private', operator: Partial<typeof management.aws> = {}) => {
    const spec = { platform: { type: 'AWS', aws: { ...aws, endpointAccess: access } } } as const
    return supported(observed({ spec, management: { ...management, aws: { ...management.aws, ...operator } } }))
  }

  it('when its API is public, wherever the operator runs', () => assert.equal(support('Public').status, 'True'))
  it('privately only from inside of its region, with credentials', () => {
    assert.match(support('Private').message, /AWS_REGION is not set/)
    assert.match(support('Private', { region: 'eu-west-1' }).message, /AWS_SHARED_CREDENTIALS_FILE is not set/)
    assert.match(
      support('Private', { region: 'us-east-1', hasCredentials: true }).message,
      /only supports private clusters in region us-east-1/,
    )
    const verdict = support('Private', { region: 'eu-west-1', hasCredentials: true })
    assert.equal(verdict.reason, 'AsExpected')
    assert.equal(support('Private').reason, 'UnsupportedHostedCluster')
  })
})

describe('authorities for a proxy', () => {
  const proxy = (data: Record<string, string> | undefined) => {
    const objects = data === undefined ? [] : [aConfigMap({ name: 'proxy-ca', namespace: 'clusters', data })]
    return validProxyConfiguration(observed({ spec: { configuration: { proxy: { trustedCA: { name: 'proxy-ca' } } } }, objects }), noon)
  }

  it('need not be there', () => assert.equal(validProxyConfiguration(observed({}), noon).message, 'No proxy CA bundle configured'))
  it('must be certificates', () => {
    for (const data of [undefined, {}, { 'ca-bundle.crt': 'nonsense' }]) assert.equal(proxy(data).reason, 'ProxyCABundleInvalid')
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
    assert.match(proxy({ 'ca-bundle.crt': broken }).message, /certificate 1 cannot be read/)
  })
})
