import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Route, Service } from '@windlass/api'
import type { HostedControlPlane, KubernetesObject } from '@windlass/api'
import { aHostedControlPlane, aService } from '@windlass/api/fixtures'
import { World } from '../hosted-cluster/testing/index.ts'
import { aNamespace } from '@windlass/api/fixtures'
import { endpointsOf } from './endpoints.ts'
import { infrastructureReady } from './health.ts'
import { found } from '../hosted-cluster/lookup.ts'
import { publish } from './publishing.ts'

const namespace = 'clusters-prod'
const home = aNamespace({ name: namespace })

type Strategy = HostedControlPlane['spec']['services'][number]['servicePublishingStrategy']

/** A control plane whose services are all published in this way, but for those that are told. */
function publishing(
  all: Strategy,
  some: Readonly<Record<string, Strategy>> = {},
  spec: Partial<HostedControlPlane['spec']> = {},
): HostedControlPlane {
  const names = ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'] as const
  return aHostedControlPlane({
    spec: { services: names.map((service) => ({ service, servicePublishingStrategy: some[service] ?? all })), ...spec },
  })
}

/** What there is after everything was published; `given` is what the infrastructure gave out before. */
function published(controlPlane: HostedControlPlane, given: readonly KubernetesObject[] = [], ingressDomain?: string) {
  const world = new World([home, ...given])
  const actions = publish(controlPlane, world, ingressDomain)
  world.carryOut(actions, 0)
  assert.deepEqual(publish(controlPlane, world, ingressDomain), [], 'there is nothing to do the second time')
  const service = (name: string) => world.find(Service, { namespace, name })
  const route = (name: string) => world.find(Route, { namespace, name })
  const { awaited, ...rest } = endpointsOf(controlPlane, world)
  return { service, route, ready: infrastructureReady(found(awaited)), ...rest }
}

const balancer = (name: string, ip: string) => {
  const { metadata, spec } = aService({ name })
  return aService({ name, metadata, spec: { ...spec, type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip }] } } })
}

describe('the ways into a control plane', () => {
  it('are load balancers, whose addresses are waited for', () => {
    const controlPlane = publishing({ type: 'LoadBalancer' })
    const before = published(controlPlane)
    assert.equal(before.service('kube-apiserver')?.spec.type, 'LoadBalancer')
    assert.deepEqual(before.service('konnectivity-server')?.spec.ports, [
      { name: 'agents', port: 8091, targetPort: 'agents', protocol: 'TCP' },
    ])
    assert.equal(before.ready.reason, 'WaitingOnInfrastructureReady')
    assert.match(before.ready.message, /kube-apiserver load balancer is provisioning/)
    assert.equal(before.controlPlaneEndpoint, undefined)
    const after = published(
      controlPlane,
      ['kube-apiserver', 'konnectivity-server', 'oauth-openshift'].map((name, index) => balancer(name, `192.0.2.${index + 1}`)),
    )
    assert.equal(after.ready.status, 'True')
    assert.deepEqual(after.controlPlaneEndpoint, { host: '192.0.2.1', port: 6443 })
    assert.equal(after.oauthCallbackURLTemplate, 'https://192.0.2.3:6443/oauth2callback/[identity-provider-name]')
  })

  it('have the name that people gave them, once there is something behind it', () => {
    const controlPlane = publishing(
      { type: 'Route' },
      { APIServer: { type: 'LoadBalancer', loadBalancer: { hostname: 'api.example.com' } } },
    )
    const before = published(controlPlane)
    assert.equal(before.service('kube-apiserver')?.metadata.annotations?.['external-dns.alpha.kubernetes.io/hostname'], 'api.example.com')
    assert.equal(before.controlPlaneEndpoint, undefined)
    assert.equal(published(controlPlane, [balancer('kube-apiserver', '192.0.2.1')]).controlPlaneEndpoint?.host, 'api.example.com')
  })

  it('are ports of nodes', () => {
    const nodePort = { type: 'NodePort', nodePort: { address: 'node.example.com', port: 31_000 } } as const
    const { service, ready, controlPlaneEndpoint } = published(publishing(nodePort))
    assert.equal(service('kube-apiserver')?.spec.ports?.[0]?.nodePort, 31_000)
    assert.equal(ready.status, 'True')
    assert.deepEqual(controlPlaneEndpoint, { host: 'node.example.com', port: 31_000 })
  })

  it('are Routes, whose hosts come from the management cluster unless the domain of its ingress is known', () => {
    const controlPlane = publishing({ type: 'Route' })
    const unnamed = published(controlPlane)
    assert.equal(unnamed.route('konnectivity-server')?.spec.host, undefined)
    assert.equal(unnamed.service('konnectivity-server')?.spec.type, 'ClusterIP')
    assert.equal(unnamed.ready.reason, 'WaitingOnInfrastructureReady')
    const named = published(controlPlane, [], 'apps.mgmt.example.com')
    assert.equal(named.route('oauth')?.spec.host, 'oauth-clusters-prod.apps.mgmt.example.com')
    assert.equal(named.route('ignition-server')?.spec.to.name, 'ignition-server-proxy')
    assert.deepEqual(named.controlPlaneEndpoint, { host: 'kube-apiserver-clusters-prod.apps.mgmt.example.com', port: 443 })
    assert.equal(named.ready.status, 'True')
  })

  it('keep the hosts that they have', () => {
    const controlPlane = publishing({ type: 'Route' })
    const world = new World([home])
    world.carryOut(publish(controlPlane, world, 'apps.old.example.com'), 0)
    assert.deepEqual(publish(controlPlane, world, 'apps.new.example.com'), [])
  })

  it('lead through a router of its own where Routes have names of their own', () => {
    const controlPlane = publishing({ type: 'Route' }, { APIServer: { type: 'Route', route: { hostname: 'api.example.com' } } })
    const before = published(controlPlane, [], 'apps.mgmt.example.com')
    assert.equal(before.service('router')?.spec.type, 'LoadBalancer')
    assert.match(before.ready.message, /router load balancer is provisioning/)
    assert.equal(published(controlPlane, [balancer('router', '192.0.2.9')], 'apps.mgmt.example.com').ready.status, 'True')
  })

  it('do not lead to a login that somebody else provides', () => {
    const controlPlane = publishing({ type: 'LoadBalancer' }, {}, { configuration: { authentication: { type: 'OIDC' } } } as never)
    const { service, oauthCallbackURLTemplate } = published(controlPlane)
    assert.deepEqual([service('oauth-openshift'), oauthCallbackURLTemplate], [undefined, undefined])
  })

  it('3.8 are names inside as well on a managed Azure that is private: its router waits for them', () => {
    const azure = { topology: 'Private', azureAuthenticationConfig: { azureAuthenticationConfigType: 'ManagedIdentities' } }
    const platform = { type: 'Azure', azure } as unknown as HostedControlPlane['spec']['platform']
    const { route } = published(publishing({ type: 'Route' }, {}, { platform }))
    const hosts = ['kube-apiserver-internal', 'oauth-internal'].map((name) => route(name)?.spec.host)
    assert.deepEqual(hosts, ['api.prod.hypershift.local', 'oauth.apps.prod.hypershift.local'])
    assert.equal(published(publishing({ type: 'Route' })).route('kube-apiserver-internal'), undefined)
  })
})
