import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { seededRandom } from '@windlass/core'
import { managerConfig, readConfig } from '../config/index.ts'
import { seen, unseen } from '../observed/seen.ts'
import type { UpgradePolicy } from '../notifications/index.ts'
import { configured, minute, theUpgrade } from '../testing/index.ts'
import {
  accessToken,
  afterCycle,
  agentRetries,
  authorization,
  channelFor,
  decidePolicy,
  decideRefresh,
  freshSync,
  graceMinutes,
  isSameSpec,
  jitter,
  localSpecs,
  type OcmCluster,
  ocmRetries,
  retryAfter,
} from './index.ts'

const cluster: OcmCluster = { id: 'c', version: { channel_group: 'fast' }, node_drain_grace_period: { value: 60, unit: 'minutes' } }
const policy: UpgradePolicy = { id: 'p', version: '4.4.6', next_run: '2030-01-01T12:00:00.5Z' }

const decide = (policies: readonly UpgradePolicy[], states: Readonly<Record<string, string>>, on = cluster, type = '') =>
  decidePolicy({
    cluster: on,
    policies,
    states: new Map(Object.entries(states).map(([id, value]) => [id, seen({ value })])),
    config: configured({ upgradeType: type }),
  })

describe('the policies of OCM', () => {
  it('O01 become an UpgradeConfig', () => {
    assert.deepEqual(decide([policy], { p: 'scheduled' }), {
      is: 'spec',
      policyId: 'p',
      spec: {
        desired: { version: '4.4.6', channel: 'fast-4.4' },
        upgradeAt: '2030-01-01T12:00:00Z',
        PDBForceDrainTimeout: 60,
        type: 'ARO',
        capacityReservation: true,
      },
    })
    const osd = decide([{ ...policy, capacity_reservation: false }], { p: 'started' }, cluster, 'OSD')
    assert.ok(osd.is === 'spec' && osd.spec.type === 'OSD' && osd.spec.capacityReservation === undefined)
  })

  it('O02 that are over want nothing', () => {
    for (const value of ['completed', 'Cancelled', 'pending']) assert.deepEqual(decide([policy], { p: value }), { is: 'none' })
  })

  it('O03 without a version want nothing', () => {
    assert.deepEqual(decide([{ ...policy, version: '' }, { ...policy, next_run: 'soon' }, { id: 'x' }], {}), { is: 'none' })
    assert.deepEqual(decide([], {}), { is: 'none' })
  })

  it('O04 get the channel of their group, and the grace period in minutes', () => {
    assert.equal(channelFor('4.9.1', ''), 'stable-4.9')
    assert.equal(channelFor('4.9.1', 'eus'), 'eus-4.10')
    assert.equal(channelFor('4.10.1', 'eus'), 'eus-4.10')
    assert.equal(channelFor('4.9', 'fast'), undefined)
    assert.deepEqual(
      [{ value: 1, unit: 'hours' }, { value: 61, unit: 'seconds' }, { value: 7, unit: '' }, {}].map(graceMinutes),
      [60, 2, 7, 0],
    )
    const failed = decide([{ ...policy, version: '4.9' }], { p: 'scheduled' })
    assert.ok(failed.is === 'failed' && failed.problem.includes('could not process provider upgrade policies'))
  })

  it('Δ33 are asked in the order of their times, until one has something to do', () => {
    const policies = [
      { ...policy, id: 'late', next_run: '2030-02-01T00:00:00Z' },
      { ...policy, id: 'b', next_run: '2030-01-01T00:00:00Z' },
      { ...policy, id: 'a', next_run: '2030-01-01T01:00:00+01:00' },
    ]
    assert.deepEqual(decide(policies, {}), { is: 'ask state', policyId: 'a' })
    assert.deepEqual(decide(policies, { a: 'completed' }), { is: 'ask state', policyId: 'b' })
    const chosen = decide(policies, { a: 'completed', b: 'pending', late: 'delayed' })
    assert.ok(chosen.is === 'spec' && chosen.policyId === 'late')
    const states = new Map([['a', unseen('503')]])
    assert.equal(decidePolicy({ cluster, policies, states, config: configured({}) }).is, 'failed')
  })
})

describe('a refresh', () => {
  const { spec } = theUpgrade()
  const other = { ...spec, PDBForceDrainTimeout: 5 }

  for (const [title, view, expected] of [
    ['nothing and nothing', { specs: [], upgradeConfig: undefined, hasCommenced: false }, 'nothing unchanged'],
    [
      'O02 nothing, before the start',
      { specs: [], upgradeConfig: theUpgrade({ entry: { phase: 'Pending' } }), hasCommenced: false },
      'delete changed',
    ],
    [
      'O02 nothing, in an upgrade that has not commenced',
      { specs: [], upgradeConfig: theUpgrade({ entry: {} }), hasCommenced: false },
      'delete changed, tears down',
    ],
    [
      'O02 Δ38 nothing, in an upgrade that has',
      { specs: [], upgradeConfig: theUpgrade({ entry: {} }), hasCommenced: true },
      'nothing unchanged',
    ],
    [
      'nothing, after the end',
      { specs: [], upgradeConfig: theUpgrade({ entry: { phase: 'Failed' } }), hasCommenced: true },
      'delete changed',
    ],
    ['something new', { specs: [spec, other], upgradeConfig: undefined, hasCommenced: false }, 'create changed'],
    ['the same', { specs: [spec], upgradeConfig: theUpgrade(), hasCommenced: false }, 'nothing unchanged'],
    [
      'Δ38 another time out in a running upgrade',
      { specs: [other], upgradeConfig: theUpgrade({ entry: {} }), hasCommenced: true },
      'update unchanged',
    ],
    [
      'O05 something else before the start',
      { specs: [other], upgradeConfig: theUpgrade({ entry: { phase: 'Pending' } }), hasCommenced: false },
      'replace changed',
    ],
    [
      'Δ47 something else in an upgrade that has not commenced',
      { specs: [other], upgradeConfig: theUpgrade({ entry: {} }), hasCommenced: false },
      'replace changed, tears down',
    ],
    [
      'another version in a running upgrade',
      { specs: [theUpgrade({ version: '4.4.7' }).spec], upgradeConfig: theUpgrade({ entry: {} }), hasCommenced: true },
      'replace changed',
    ],
  ] satisfies [string, Parameters<typeof decideRefresh>[0], string][]) {
    it(`${title}: ${expected}`, () => {
      const decision = decideRefresh(view)
      const tearsDown = 'tearsDown' in decision && decision.tearsDown ? ', tears down' : ''
      assert.equal(`${decision.do} ${decision.result}${tearsDown}`, expected)
    })
  }

  it('O05 compares specs by what they mean', () => {
    assert.ok(isSameSpec(spec, { ...spec, upgradeAt: '2030-01-01T13:00:00+02:00', capacityReservation: false }))
    assert.ok(!isSameSpec(spec, { ...spec, capacityReservation: true }))
    assert.ok(!isSameSpec(spec, { ...spec, type: 'ARO' }))
    assert.ok(!isSameSpec({ ...spec, upgradeAt: 'x' }, { ...spec, upgradeAt: 'y' }))
  })

  it('O09 Δ37 of the cluster itself keeps an UpgradeConfig that nobody has looked at', () => {
    const fresh = theUpgrade()
    assert.deepEqual(decideRefresh({ specs: localSpecs(fresh), upgradeConfig: fresh, hasCommenced: false }), {
      do: 'nothing',
      result: 'unchanged',
    })
  })

  it('O10 of the cluster itself removes one that is done, and keeps one that failed', () => {
    const done = theUpgrade({ entry: { phase: 'Upgraded' } })
    assert.equal(decideRefresh({ specs: localSpecs(done), upgradeConfig: done, hasCommenced: true }).do, 'delete')
    assert.equal(localSpecs(theUpgrade({ entry: { phase: 'Failed' } })).length, 1)
    assert.deepEqual(localSpecs(undefined), [])
  })
})

describe('the sync loop', () => {
  const manager = (watchInterval: number) =>
    managerConfig(readConfig({ data: { 'config.yaml': `configManager: {source: OCM, watchInterval: ${watchInterval}}` } }))
  const about = (wait: number, minutes: number) =>
    assert.ok(wait >= minutes * minute * 0.9 && wait < minutes * minute * 1.1, `${wait} is not about ${minutes} min`)

  it('O06 backs off after failures, up to an hour', () => {
    const random = seededRandom('a')
    let state = freshSync
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const next = afterCycle(state, 'failed', manager(60), minute, random)
      about(next.wait, minutes)
      state = next.state
    }
    assert.deepEqual(afterCycle(state, 'refreshed', manager(60), minute, random).state, freshSync)
  })

  it('O11 Δ36 goes by the interval that is configured now', () => {
    about(afterCycle(freshSync, 'refreshed', manager(60), minute, seededRandom('a')).wait, 60)
    about(afterCycle(freshSync, 'refreshed', manager(15), minute, seededRandom('a')).wait, 15)
  })

  it('C07 looks every minute whether there is something to do', () => {
    assert.equal(afterCycle(freshSync, 'idle', managerConfig(configured({})), minute, seededRandom('a')).wait, minute)
  })

  it('spreads out by a tenth either way', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const wait = jitter(1000, seededRandom(seed))
        assert.ok(wait >= 900 && wait < 1100)
      }),
    )
  })
})

describe('requests to OCM', () => {
  const delays = (method: string, attempt: Parameters<typeof retryAfter>[1], policy = ocmRetries) =>
    Array.from({ length: 7 }, (_, index) => retryAfter(method, attempt, index + 1, policy, seededRandom('a')))

  it('O07 are sent again five times, later each time', () => {
    const waits = delays('GET', { status: 503 })
    for (const [index, seconds] of [2, 4, 8, 16, 32].entries()) {
      const wait = waits[index] ?? 0
      assert.ok(wait >= seconds * 700 && wait <= seconds * 1300)
    }
    assert.deepEqual(waits.slice(5), [undefined, undefined])
    assert.equal(delays('GET', { status: 500 }, agentRetries).filter((wait) => wait !== undefined).length, 2)
  })

  it('O08 Δ35 that change something are sent again only when they cannot have arrived', () => {
    assert.equal(delays('PATCH', { status: 500 })[0], undefined)
    assert.equal(delays('POST', { problem: 'reset', isUnsent: false })[0], undefined)
    for (const attempt of [{ status: 429 }, { status: 503 }, { problem: 'refused', isUnsent: true }]) assert.ok(delays('PATCH', attempt)[0])
    assert.ok(delays('GET', { problem: 'reset', isUnsent: false })[0])
    for (const status of [400, 401, 404, 409]) assert.equal(delays('GET', { status })[0], undefined)
  })

  it('O12 say which piece of the pull secret is missing', () => {
    const problems = [undefined, '{', '{}', '{"auths":{}}', '{"auths":{"cloud.openshift.com":{}}}'].map((text) => {
      const token = accessToken(text)
      return 'problem' in token ? token.problem : ''
    })
    assert.equal(new Set(problems).size, 5)
    assert.match(problems[3] ?? '', /cloud\.openshift\.com/)
    assert.deepEqual(accessToken('{"auths":{"cloud.openshift.com":{"auth":"t"}}}'), seen('t'))
    assert.equal(authorization('id', 't'), 'AccessToken id:t')
  })
})
