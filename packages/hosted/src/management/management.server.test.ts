import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, Route, ServiceMonitor, toCrd } from '@windlass/api'
import type { JsonObject, Resource } from '@windlass/api'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { seededRandom } from '@windlass/core'
import { createClient, inProcessTransport } from '@windlass/kube'
import { discoverKinds, discoverManagementCluster } from './index.ts'

async function aCluster(definitions: readonly unknown[] = []) {
  const server = await startTestServer({ definitions: JSON.parse(JSON.stringify(definitions)) as readonly JsonObject[] })
  const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const client = createClient({ transport, clock: server.clock, random: seededRandom('client'), userAgent: 'test', fieldManager: 'test' })
  return { server, client, [Symbol.asyncDispose]: () => server.api.stop() }
}

/** As much of OpenShift's own configuration as it takes. */
function configuration(kind: string, plural: string): object {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.config.openshift.io` },
    spec: {
      group: 'config.openshift.io',
      scope: 'Cluster',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}

describe('a management cluster', () => {
  it('is asked which kinds it has', async () => {
    await using bare = await aCluster()
    const none = await discoverKinds(bare.client)
    assert.deepEqual(
      [Route, ServiceMonitor, capi.Cluster].map((kind) => none.has(kind)),
      [false, false, false],
    )
    await using rich = await aCluster([toCrd(Route), toCrd(capi.Cluster)])
    const some = await discoverKinds(rich.client)
    assert.deepEqual(
      [Route, ServiceMonitor, capi.Cluster].map((kind) => some.has(kind)),
      [true, false, true],
    )
  })

  it('that is an OpenShift tells its domain and its networks', async () => {
    await using cluster = await aCluster([
      configuration('Ingress', 'ingresses'),
      configuration('Network', 'networks'),
      configuration('DNS', 'dnses'),
    ])
    const put = (plural: string, kind: string, rest: JsonObject) =>
      cluster.server.create(`/apis/config.openshift.io/v1/${plural}`, {
        apiVersion: 'config.openshift.io/v1',
        kind,
        metadata: { name: 'cluster' },
        ...rest,
      })
    await put('ingresses', 'Ingress', { spec: { domain: 'apps.mgmt.example.com' } })
    await put('networks', 'Network', { status: { clusterNetwork: [{ cidr: '10.128.0.0/14' }], serviceNetwork: ['172.30.0.0/16'] } })
    await put('dnses', 'DNS', {})
    const { ingressDomain, clusterNetworks, serviceNetworks, hasOpenShiftDns } = await discoverManagementCluster(cluster.client)
    assert.deepEqual(
      [ingressDomain, clusterNetworks, serviceNetworks, hasOpenShiftDns],
      ['apps.mgmt.example.com', ['10.128.0.0/14'], ['172.30.0.0/16'], true],
    )
  })

  it('tells where its API servers are, in a kind that is not going away', async () => {
    const slices = { metadata: { name: 'kubernetes' }, endpoints: [{ addresses: ['192.0.2.10'] }, { addresses: ['192.0.2.11'] }] }
    const client = { find: (kind: Resource) => Promise.resolve(kind.kind === 'EndpointSlice' ? slices : undefined) } as never
    assert.deepEqual((await discoverManagementCluster(client)).apiServers, ['192.0.2.10', '192.0.2.11'])
  })

  it('that is none knows what it is told', async () => {
    await using cluster = await aCluster()
    const { ingressDomain, clusterNetworks, hasOpenShiftDns } = await discoverManagementCluster(cluster.client, {
      ingressDomain: 'apps.example.com',
    })
    assert.deepEqual([ingressDomain, clusterNetworks, hasOpenShiftDns], ['apps.example.com', [], false])
  })
})
