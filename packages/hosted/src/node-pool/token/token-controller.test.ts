import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from '@windlass/api'
import type { Action, PatchAction } from '@windlass/kube'
import { aWorld, hashIn, hour, noon, pass, poolIn, Provider, secretIn, secretWith, settle, settled } from '../testing/index.ts'
import { Annotation } from '../wire.ts'
import {
  answerIgnition,
  applyToStore,
  concludePayload,
  decideToken,
  decoded,
  encoded,
  formatPreciseTime,
  payloadLifetime,
  PayloadStore,
  unpacked,
} from './index.ts'

const home = 'clusters-prod'

const stored = { payload: '{}', cloudConfigHash: '' }

/** A token Secret as the token controller finds it. */
function aToken(annotations: Readonly<Record<string, string>> = {}, data: Readonly<Record<string, string>> = {}): Secret {
  const all = { [Annotation.ignitionConfig]: 'true', [Annotation.nodePool]: 'clusters/workers', ...annotations }
  return secretWith('token-workers-a', home, { token: 'one', 'cloud-config-hash': '', ...data }, all)
}

function patched([action]: readonly Action[]): PatchAction['patch'] {
  return action?.do === 'patch' ? action.patch : assert.fail('it is no patch')
}

describe('the token controller', () => {
  it('NP-41 replaces a token that has lived long enough, and the old one stays good', () => {
    const { world, provider, now } = settled()
    const name = `token-workers-${hashIn(world)}`
    const before = decoded(secretIn(world, name) ?? assert.fail(), 'token') ?? ''
    const later = noon + 5.5 * hour
    provider.step(later - 1)
    assert.equal(decoded(secretIn(world, name) ?? assert.fail(), 'token'), before)
    provider.step(later)
    const secret = secretIn(world, name) ?? assert.fail()
    assert.equal(decoded(secret, 'old_token'), before)
    const fresh = decoded(secret, 'token') ?? ''
    assert.notEqual(fresh, before)
    assert.ok(now < later && provider.store.find(before, later) !== undefined && provider.store.find(fresh, later) !== undefined)
    pass(world, later)
    assert.match(decoded(secretIn(world, name.replace('token', 'user-data')) ?? assert.fail(), 'value') ?? '', new RegExp(encoded(fresh)))
    provider.step(later + 5.5 * hour)
    assert.equal(provider.store.find(before, later), undefined)
  })

  it('replaces none before there is a payload for it', () => {
    assert.deepEqual(decideToken(aToken(), new PayloadStore(), noon, 'two'), { do: 'generate' })
  })

  it('replaces one whose age nobody knows', () => {
    const store = new PayloadStore()
    store.keep('one', stored, noon)
    assert.equal(decideToken(aToken(), store, noon, 'two').do, 'rotate')
  })

  it('looks again when the first of expiry and replacement comes', () => {
    const store = new PayloadStore()
    store.keep('one', stored, noon)
    const generated = { [Annotation.tokenGenerated]: formatPreciseTime(noon) }
    const wait = (annotations: Readonly<Record<string, string>>) => {
      const decision = decideToken(aToken({ ...generated, ...annotations }), store, noon, 'two')
      return decision.do === 'keep' ? decision.requeueAfter : assert.fail(decision.do)
    }
    assert.equal(wait({}), 5.5 * hour)
    assert.equal(wait({ [Annotation.tokenExpires]: formatPreciseTime(noon + 2 * hour) }), 2 * hour + 1)
  })

  it('takes a mark that cannot be read for one', () => {
    const decision = decideToken(aToken({ [Annotation.tokenExpires]: 'soon' }), new PayloadStore(), noon, 'two')
    assert.ok(decision.do === 'forget')
    assert.deepEqual([decision.tokens, decision.actions.map((action) => action.do)], [['one'], ['delete']])
  })

  it('forgets the tokens of a Secret that is going', () => {
    const secret = aToken()
    const store = new PayloadStore()
    store.keep('one', stored, noon)
    const decision = decideToken(
      { ...secret, metadata: { ...secret.metadata, deletionTimestamp: '2026-03-06T12:00:00Z' } },
      store,
      noon,
      'two',
    )
    applyToStore(decision, store, noon)
    assert.deepEqual([decision.do, store.size], ['forget', 0])
  })

  it('makes a payload again when the configuration of the cloud has changed, or it is too old', () => {
    const store = new PayloadStore()
    store.keep('one', stored, noon)
    assert.equal(decideToken(aToken({}, { 'cloud-config-hash': 'x' }), store, noon, 'two').do, 'generate')
    assert.equal(decideToken(aToken(), store, noon + payloadLifetime, 'two').do, 'generate')
    store.keep('other', stored, noon + payloadLifetime)
    assert.equal(store.size, 1)
  })

  it('NP-43 writes down why a payload cannot be made, and not again while it is the same', () => {
    const failure = { is: 'failed', message: 'the image is missing', isPending: false } as const
    const { data } = patched(concludePayload(aToken(), failure))
    assert.deepEqual(data, { reason: encoded('InvalidConfig'), message: encoded('the image is missing') })
    assert.deepEqual(concludePayload(aToken({}, { reason: 'InvalidConfig', message: 'the image is missing' }), failure), [])
    const pending = patched(concludePayload(aToken(), { ...failure, isPending: true }))
    assert.equal((pending['data'] as Readonly<Record<string, string>>)['reason'], encoded('CloudConfigPending'))
  })

  it('NP-43 is shown on the pool', () => {
    const world = aWorld()
    settle(world, new Provider(world, { payloadProblem: 'the image is missing' }))
    const condition = poolIn(world).status?.conditions?.find(({ type }) => type === 'ValidGeneratedPayload')
    assert.deepEqual([condition?.status, condition?.reason, condition?.message], ['False', 'InvalidConfig', 'the image is missing'])
  })

  it('keeps the payload in the Secret for nodes that are upgraded in place, and for no others', () => {
    const made = { is: 'made', payload: '{"ignition":{}}' } as const
    const { data } = patched(concludePayload(aToken({ [Annotation.upgradeType]: 'InPlace' }), made)) as {
      data: Readonly<Record<string, string>>
    }
    assert.equal(unpacked(Buffer.from(data['payload'] ?? '', 'base64').toString()), made.payload)
    const replaced = patched(concludePayload(aToken({ [Annotation.upgradeType]: 'Replace' }, { payload: 'x' }), made))
    assert.equal((replaced['data'] as Readonly<Record<string, unknown>>)['payload'], null)
  })
})

describe('the ignition server', () => {
  const store = new PayloadStore()
  store.keep('one', { payload: '{"ignition":{}}', cloudConfigHash: '' }, noon)
  const ask = (authorization: string | undefined, path = '/ignition') =>
    answerIgnition(
      { method: 'GET', path, headers: { authorization, nodepool: 'clusters/workers', targetconfigversionhash: '1a2b3c4d' } },
      store,
      noon,
    )

  it('NP-39 lets in nobody without a token in base64', () => {
    assert.deepEqual(
      [undefined, `Basic ${encoded('one')}`, 'Bearer %%%', 'Bearer '].map((text) => ask(text).status),
      [401, 401, 401, 401],
    )
  })

  it('NP-39 asks machines to try again whose token it does not know', () => assert.equal(ask(`Bearer ${encoded('two')}`).status, 511))

  it('NP-40 hands out the payload, and names the Secret whose machine has reached it', () => {
    assert.deepEqual(ask(`Bearer ${encoded('one')}`), {
      status: 200,
      body: '{"ignition":{}}',
      nodePool: 'clusters/workers',
      reached: 'token-workers-1a2b3c4d',
    })
  })

  it('says that it is well, and knows nothing else', () => {
    assert.deepEqual([ask(undefined, '/healthz').status, ask(undefined, '/').status], [200, 404])
    assert.equal(answerIgnition({ method: 'PUT', path: '/ignition', headers: {} }, store, noon).status, 405)
  })
})
