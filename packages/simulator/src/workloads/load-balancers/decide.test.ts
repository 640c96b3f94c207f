import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Service } from '@windlass/api'
import { aNamespace, aService } from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import { failureAnnotation } from '../../failures/index.ts'
import { dnsAnnotation, hostnameAnnotation } from '../exposure.ts'
import { settingsOf } from '../settings.ts'
import { deedsOf, noon, statusIn } from '../testing/index.ts'
import { decideWith } from './decide.ts'

const decide = decideWith(
  settingsOf({ seed: 1, durations: { address: { median: 40_000, spread: 0 }, dns: { median: 30_000, spread: 0 } } }),
)
const serviceOf = (
  annotations: Readonly<Record<string, string>> = {},
  spec: Partial<Service['spec']> = {},
  status: Service['status'] = {},
): Service => aService({ name: 'api', metadata: { creationTimestamp: formatTime(noon), annotations }, spec, status })
const look = (service: Service, seconds: number, fail?: string) =>
  decide(
    {
      service,
      namespace:
        fail === undefined ? undefined : aNamespace({ metadata: { name: 'clusters-prod', annotations: { [failureAnnotation]: fail } } }),
    },
    noon + seconds * 1_000,
  )
const exposed = (annotations: Readonly<Record<string, string>> = {}) =>
  serviceOf(annotations, {}, { loadBalancer: { ingress: [{ hostname: 'h' }] } })

describe('a Service that wants a load balancer', () => {
  it('gets an address after a while, always the same', () => {
    assert.equal(look(serviceOf(), 10).requeueAfter, 30_000)
    const [first, second] = [statusIn(look(serviceOf(), 40), Service), statusIn(look(serviceOf(), 99), Service)]
    assert.match(first?.loadBalancer?.ingress?.[0]?.hostname ?? '', /^api-[a-z0-9]{8}\.lb\.windlass\.test$/)
    assert.deepEqual(first, second)
    assert.deepEqual(look(exposed(), 100).actions, [])
  })

  it('gets none while a failure keeps it away', () => {
    assert.deepEqual(look(serviceOf(), 1_000, 'no-address').actions, [])
    assert.equal(look(serviceOf(), 100, 'slow').requeueAfter, 300_000)
    assert.deepEqual(deedsOf(look(serviceOf(), 1_000, 'none')), ['event InvalidFailure'])
  })

  it('is known by its name some time later, if it has one', () => {
    const named = exposed({ [hostnameAnnotation]: 'api.example.com' })
    assert.equal(look(named, 50).requeueAfter, 20_000)
    assert.deepEqual(deedsOf(look(named, 70)), [`patch Service api {"metadata":{"annotations":{"${dnsAnnotation}":"api.example.com"}}}`])
    assert.deepEqual(look(named, 1_000, 'no-dns').actions, [])
    assert.deepEqual(look(exposed({ [hostnameAnnotation]: 'api.example.com', [dnsAnnotation]: 'api.example.com' }), 1_000).actions, [])
  })

  it('loses its address when it wants none any more', () => {
    const plain = serviceOf({}, { type: 'ClusterIP' })
    assert.deepEqual(look(plain, 100).actions, [])
    assert.deepEqual(statusIn(look({ ...exposed(), spec: { type: 'ClusterIP' } }, 100), Service), { loadBalancer: {} })
  })
})
