import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, Secret } from '@windlass/api'
import { aCapiMachine, aCapiMachineSet, aHostedCluster } from '@windlass/api/fixtures'
import { parseTime } from '@windlass/core'
import {
  aWorld,
  configMapWith,
  hashIn,
  hour,
  minute,
  pass,
  poolIn,
  said,
  secretIn,
  secretsIn,
  setRelease,
  settle,
  settled,
} from '../testing/index.ts'
import { Annotation } from '../wire.ts'
import { answerIgnition, cloudConfigHash, decoded, encoded, formatPreciseTime, isUserDataNeeded, unpacked } from './index.ts'

const home = 'clusters-prod'

const expiryOf = (secret: Secret | undefined) => secret?.metadata.annotations?.[Annotation.tokenExpires]

describe('the Secrets of a configuration', () => {
  it('hold what machines and the ignition server need', () => {
    const world = aWorld()
    pass(world)
    const [tokenName = '', userDataName = ''] = secretsIn(world)
    const token = secretIn(world, tokenName) ?? assert.fail()
    const value = (key: string) => decoded(token, key)
    assert.equal(token.immutable, false)
    assert.deepEqual(
      [
        'release',
        'release-version',
        'pull-secret-hash',
        'additional-trust-bundle-hash',
        'os-stream',
        'hc-configuration-hash',
        'cloud-config-hash',
      ].map(value),
      ['example.com/ocp/release:4.19.6-x86_64', '4.19.6', '217e580d', '811c9dc5', '', '77074ba4', ''],
    )
    assert.match(unpacked(value('config') ?? ''), /kind: MachineConfig/)
    assert.deepEqual(token.metadata.annotations, {
      [Annotation.ignitionConfig]: 'true',
      [Annotation.upgradeType]: 'Replace',
      [Annotation.nodePool]: 'clusters/workers',
      [Annotation.tokenGenerated]: '2026-03-06T12:00:00Z',
    })
    const userData = secretIn(world, userDataName) ?? assert.fail()
    assert.equal(decoded(userData, 'disableTemplating'), 'dHJ1ZQ==')
    assert.deepEqual(JSON.parse(decoded(userData, 'value') ?? ''), {
      ignition: {
        version: '3.2.0',
        config: {
          merge: [
            {
              source: 'https://ignition.prod.example.com/ignition',
              httpHeaders: [
                { name: 'Authorization', value: `Bearer ${encoded(value('token') ?? '')}` },
                { name: 'NodePool', value: 'clusters/workers' },
                { name: 'TargetConfigVersionHash', value: tokenName.slice('token-workers-'.length) },
              ],
            },
          ],
        },
        security: { tls: { certificateAuthorities: [{ source: `data:text/plain;base64,${encoded('CERTIFICATE')}` }] } },
      },
    })
  })

  it('say of a cluster that was restored that machines have reached the server', () => {
    const cluster = aHostedCluster()
    const world = aWorld(undefined, {
      ...cluster,
      metadata: { ...cluster.metadata, annotations: { 'hypershift.openshift.io/restored-from-backup': '' } },
    })
    pass(world)
    assert.equal(secretIn(world, secretsIn(world)[0] ?? '')?.metadata.annotations?.[Annotation.ignitionReached], 'True')
  })

  it('hash the configuration of a cloud key by key', () => {
    assert.equal(cloudConfigHash(configMapWith('a', 'b', { b: '2', a: '1' })), cloudConfigHash(configMapWith('a', 'b', { a: '1', b: '2' })))
    assert.notEqual(
      cloudConfigHash(configMapWith('a', 'b', { a: '1b', c: '' })),
      cloudConfigHash(configMapWith('a', 'b', { a: '1', bc: '' })),
    )
  })

  it('write times as Go does', () => {
    assert.equal(formatPreciseTime(Date.UTC(2026, 0, 1, 10, 20, 30, 120)), '2026-01-01T10:20:30.12Z')
    assert.equal(formatPreciseTime(Date.UTC(2026, 0, 1, 10, 20, 30)), '2026-01-01T10:20:30Z')
  })
})

describe('the old Secrets of a rollout', () => {
  it('NP-37 get two more hours, once', () => {
    const { world, now } = settled()
    const old = `token-workers-${hashIn(world)}`
    setRelease(world, '4.20.1')
    pass(world, now)
    const mark = expiryOf(secretIn(world, old))
    assert.equal(parseTime(mark), now + 2 * hour)
    pass(world, now + minute)
    pass(world, now + 30 * minute)
    assert.equal(expiryOf(secretIn(world, old)), mark)
  })

  it('NP-37 get them only as they were seen: a mark that was not seen yet stays', () => {
    const { world, now } = settled()
    const old = secretIn(world, `token-workers-${hashIn(world)}`) ?? assert.fail()
    setRelease(world, '4.20.1')
    const marking = pass(world, now).actions.find((action) => action.do === 'patch' && action.ref.name === old.metadata.name)
    assert.equal(marking?.do === 'patch' ? marking.resourceVersion : undefined, old.metadata.resourceVersion ?? assert.fail())
  })

  it('NP-38 are gone after that, and with them their tokens', () => {
    const { world, provider, now } = settled()
    const old = `token-workers-${hashIn(world)}`
    const token = decoded(secretIn(world, old) ?? assert.fail(), 'token') ?? ''
    const ask = (time: number) =>
      answerIgnition({ method: 'GET', path: '/ignition', headers: { authorization: `Bearer ${encoded(token)}` } }, provider.store, time)
        .status
    setRelease(world, '4.20.1')
    const end = settle(world, provider, now)
    assert.equal(ask(end), 200)
    provider.step(now + 2 * hour)
    assert.notEqual(secretIn(world, old), undefined)
    provider.step(now + 2 * hour + 1000)
    assert.equal(secretIn(world, old), undefined)
    assert.equal(ask(now + 2 * hour + 1000), 511)
  })

  it('are in use again when the pool goes back before the rollout is complete', () => {
    const { world, provider, now } = settled()
    const old = `token-workers-${hashIn(world)}`
    setRelease(world, '4.20.1')
    pass(world, now)
    provider.step(now)
    setRelease(world, '4.19.6')
    pass(world, now + minute)
    assert.equal(expiryOf(secretIn(world, old)), undefined)
  })

  it('keep user data that a machine or a MachineSet may need', () => {
    const machine = aCapiMachine({ spec: { bootstrap: { dataSecretName: 'user-data-workers-a' } } })
    const { template } = aCapiMachineSet().spec
    const set = (replicas: number) => aCapiMachineSet({ spec: { replicas, ...(template === undefined ? {} : { template }) } })
    assert.equal(isUserDataNeeded('user-data-workers-a', { machineSets: [], machines: [machine] }), true)
    assert.equal(isUserDataNeeded('user-data-workers-1a47e90b', { machineSets: [set(1)], machines: [] }), true)
    assert.equal(isUserDataNeeded('user-data-workers-1a47e90b', { machineSets: [set(0)], machines: [] }), false)
    const { world, provider, now } = settled()
    const old = `user-data-workers-${hashIn(world)}`
    setRelease(world, '4.20.1')
    pass(world, now)
    assert.notEqual(secretIn(world, old), undefined)
    for (const _ of world.list(capi.Machine)) {
      pass(world, now)
      provider.step(now)
    }
    const isUsed = world.list(capi.Machine).some(({ spec }) => spec.bootstrap.dataSecretName === old)
    assert.equal(secretIn(world, old) !== undefined, isUsed)
  })
})

describe('a token Secret that somebody deletes', () => {
  it('NP-42 is made anew with another token, and rolls nothing out', () => {
    const { world, now } = settled()
    const name = `token-workers-${hashIn(world)}`
    const before = secretIn(world, name) ?? assert.fail()
    world.drop(Secret, { namespace: home, name })
    world.writes.length = 0
    pass(world, now)
    const after = secretIn(world, name) ?? assert.fail()
    assert.notEqual(decoded(after, 'token'), decoded(before, 'token'))
    assert.deepEqual(world.writes, [
      'status NodePool clusters/workers',
      `create Secret ${home}/${name}`,
      `ensure Secret ${home}/${name.replace('token', 'user-data')}`,
    ])
    assert.match(
      decoded(secretIn(world, name.replace('token', 'user-data')) ?? assert.fail(), 'value') ?? '',
      new RegExp(encoded(decoded(after, 'token') ?? '')),
    )
    pass(world, now)
    assert.equal(said(poolIn(world), 'ReachedIgnitionEndpoint'), 'False/ignitionNotReached')
  })
})
