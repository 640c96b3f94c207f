import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { canonicalQuantity } from './quantity.ts'
import { requestOverridesOf, resourcesOf } from './resources.ts'
import { aControlPlaneOn } from './testing/index.ts'

const override = (key: string) => `resource-request-override.hypershift.openshift.io/${key}`

describe('a quantity', () => {
  for (const [written, canonical] of [
    ['1000m', '1'],
    ['0.1', '100m'],
    ['1500m', '1500m'],
    ['2000', '2k'],
    ['1.5Gi', '1536Mi'],
    ['1024Ki', '1Mi'],
    ['0.5Ki', '512'],
    ['1e3', '1k'],
    ['0', '0'],
    ['100n', '100n'],
    [' 50Mi ', '50Mi'],
  ] as const)
    it(`${written} is ${canonical}`, () => assert.equal(canonicalQuantity(written), canonical))

  it('that is none is told apart', () => {
    for (const text of ['', 'lots', '1 Gi', '1gi', '--1', '0.1n']) assert.equal(canonicalQuantity(text), undefined, text)
  })

  it('that is canonical stays as it is', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi'), (amount, suffix) => {
        const once = canonicalQuantity(`${amount}${suffix}`)
        assert.equal(canonicalQuantity(once ?? ''), once)
      }),
      { seed: 3 },
    )
  })
})

describe('what a container asks for', () => {
  it('3.4 is what the live one asks for, else what its template says, else little', () => {
    const none = new Map()
    const live = [{ name: 'main', resources: { requests: { cpu: '3' } } }, { name: 'bare' }]
    const template = { requests: { cpu: '1' } }
    assert.deepEqual(resourcesOf('main', template, live, none), { requests: { cpu: '3' } })
    assert.deepEqual(resourcesOf('bare', template, live, none), {})
    assert.deepEqual(resourcesOf('new', template, live, none), template)
    assert.deepEqual(resourcesOf('new', undefined, [], none), { requests: { cpu: '10m', memory: '50Mi' } })
  })

  it('1.9 is overridden by annotations, container by container', () => {
    const hcp = aControlPlaneOn('None', {
      annotations: {
        [override('kube-apiserver.kube-apiserver')]: 'cpu=2000m, memory=3Gi',
        [override('kube-apiserver.audit-logs')]: 'memory=nonsense,cpu=5m,broken',
        [override('kube-scheduler.kube-scheduler')]: 'cpu=9',
      },
    })
    const overrides = requestOverridesOf(hcp, 'kube-apiserver')
    assert.deepEqual(Object.fromEntries(overrides), { 'kube-apiserver': { cpu: '2', memory: '3Gi' }, 'audit-logs': { cpu: '5m' } })
    const live = [{ name: 'kube-apiserver', resources: { requests: { cpu: '1', storage: '1Gi' }, limits: { cpu: '8' } } }]
    assert.deepEqual(resourcesOf('kube-apiserver', undefined, live, overrides), {
      requests: { cpu: '2', memory: '3Gi', storage: '1Gi' },
      limits: { cpu: '8' },
    })
  })
})
