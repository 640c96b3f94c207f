import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Route } from '@windlass/api'
import { aNamespace } from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import { failureAnnotation } from '../../failures/index.ts'
import { dnsAnnotation, hostnameAnnotation } from '../exposure.ts'
import { settingsOf } from '../settings.ts'
import { deedsOf, noon, statusIn } from '../testing/index.ts'
import { decideWith } from './decide.ts'

const decide = decideWith(
  settingsOf({ seed: 1, durations: { admission: { median: 2_000, spread: 0 }, dns: { median: 30_000, spread: 0 } } }),
)
const routeOf = (host?: string, annotations: Readonly<Record<string, string>> = {}, status: Route['status'] = {}): Route => ({
  apiVersion: 'route.openshift.io/v1',
  kind: 'Route',
  metadata: { namespace: 'clusters-prod', name: 'oauth', creationTimestamp: formatTime(noon), annotations },
  spec: { ...(host === undefined ? {} : { host }), to: { kind: 'Service', name: 'oauth' } },
  status,
})
const look = (route: Route, seconds: number, fail?: string) =>
  decide(
    {
      route,
      namespace:
        fail === undefined ? undefined : aNamespace({ metadata: { name: 'clusters-prod', annotations: { [failureAnnotation]: fail } } }),
    },
    noon + seconds * 1_000,
  )
const admitted = (host: string, annotations: Readonly<Record<string, string>> = {}): Route => {
  const { ingress } = statusIn(look(routeOf(host), 2), Route) ?? {}
  return routeOf(host, annotations, ingress === undefined ? {} : { ingress })
}

describe('a Route', () => {
  it('is taken by a router after a while, with the host that it asks for', () => {
    assert.equal(look(routeOf('oauth.example.com'), 0).requeueAfter, 2_000)
    const [ours] = statusIn(look(routeOf('oauth.example.com'), 2), Route)?.ingress ?? []
    assert.deepEqual(
      [ours?.host, ours?.routerName, ours?.routerCanonicalHostname],
      ['oauth.example.com', 'default', 'router-default.apps.windlass.test'],
    )
    assert.deepEqual(ours?.conditions, [{ type: 'Admitted', status: 'True', lastTransitionTime: formatTime(noon + 2_000) }])
    assert.deepEqual(look(admitted('oauth.example.com'), 100).actions, [])
  })

  it('gets a host if it asks for none', () => {
    const plan = look(routeOf(), 2)
    assert.deepEqual(deedsOf(plan), ['patch Route oauth {"spec":{"host":"oauth-clusters-prod.apps.windlass.test"}}'])
    assert.equal(statusIn(plan, Route)?.ingress?.[0]?.host, 'oauth-clusters-prod.apps.windlass.test')
  })

  it('is taken again when it asks for another host, and what other routers say stays', () => {
    const other = { host: 'x', routerName: 'other' }
    const moved = { ...admitted('old.example.com'), spec: routeOf('new.example.com').spec }
    const status = { ingress: [other, ...(moved.status?.ingress ?? [])] }
    assert.deepEqual(
      statusIn(look({ ...moved, status }, 100), Route)?.ingress?.map(({ host }) => host),
      ['x', 'new.example.com'],
    )
  })

  it('is not taken while a failure keeps routers away', () =>
    assert.deepEqual(look(routeOf('a.example.com'), 100, 'not-admitted').actions, []))

  it('is known by its name some time later, if it has one', () => {
    const named = admitted('oauth.example.com', { [hostnameAnnotation]: 'oauth.example.com' })
    assert.equal(look(named, 22).requeueAfter, 10_000)
    assert.deepEqual(deedsOf(look(named, 32)), [`patch Route oauth {"metadata":{"annotations":{"${dnsAnnotation}":"oauth.example.com"}}}`])
    assert.deepEqual(look(named, 1_000, 'no-dns').actions, [])
  })
})
