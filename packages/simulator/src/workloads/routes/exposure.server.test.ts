import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Namespace, Route, Service } from '@windlass/api'
import { aService } from '@windlass/api/fixtures'
import { simulate, type World } from '@windlass/kube/simulation'
import { failureAnnotation } from '../../failures/index.ts'
import { dnsAnnotation, hostnameAnnotation } from '../exposure.ts'
import { aWorld, draftOf, namespace } from '../testing/index.ts'

const ref = { namespace, name: 'api' }
const service = ({ state }: World): Service => state.get(Service, ref) ?? assert.fail()
const route = ({ state }: World): Route => state.get(Route, ref) ?? assert.fail()
const annotations = { [hostnameAnnotation]: 'api.prod.example.com' }
const fail = ({ client }: World, text: string | null) =>
  client.patch(Namespace, { name: namespace }, { metadata: { annotations: { [failureAnnotation]: text } } })

describe('on an API server, a Service', () => {
  it('gets a load balancer and a name, when nothing keeps them away', async () => {
    await simulate(
      aWorld(1, async (world) => {
        await fail(world, 'no-address; no-dns')
        await world.client.create(Service, draftOf(aService({ ...ref, metadata: { annotations } })))
        await world.settled({ within: '10m', quietFor: '5m' })
        assert.equal(service(world).status?.loadBalancer?.ingress, undefined)
        await fail(world, 'no-dns')
        await world.until(() => (service(world).status?.loadBalancer?.ingress ?? []).length === 1, { within: '5m' })
        await world.sleep('5m')
        assert.equal(service(world).metadata.annotations?.[dnsAnnotation], undefined)
        await fail(world, null)
        await world.until(() => service(world).metadata.annotations?.[dnsAnnotation] === 'api.prod.example.com', { within: '5m' })
      }),
    )
  })
})

describe('on an API server, a Route', () => {
  it('is admitted with a host of its own, and gets a name', async () => {
    await simulate(
      aWorld(2, async (world) => {
        await world.client.create(Route, { metadata: { ...ref, annotations }, spec: { to: { kind: 'Service', name: 'api' } } })
        await world.until(() => route(world).status?.ingress?.[0]?.conditions?.[0]?.status === 'True', { within: '1m' })
        assert.equal(route(world).spec.host, 'api-clusters-prod.apps.windlass.test')
        assert.equal(route(world).status?.ingress?.[0]?.host, route(world).spec.host)
        await world.until(() => route(world).metadata.annotations?.[dnsAnnotation] === 'api.prod.example.com', { within: '5m' })
        await world.settled({ within: '5m' })
      }),
    )
  })
})
