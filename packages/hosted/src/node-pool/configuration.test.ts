import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, ConfigMap, HostedCluster, Secret } from '@windlass/api'
import { aNodePool } from '@windlass/api/fixtures'
import type { World } from '../hosted-cluster/testing/index.ts'
import { expectedHashOf } from './seen.ts'
import {
  aMachineConfig,
  aNewPool,
  aWorld,
  configMapWith,
  hashIn,
  noon,
  observe,
  pass,
  poolIn,
  Provider,
  said,
  secretsIn,
  setSpec,
  settings,
  settle,
  settled,
  updating,
} from './testing/index.ts'
import { decoded } from './token/index.ts'
import { PoolAnnotation } from './wire.ts'

const home = 'clusters-prod'

describe('a change of configuration', () => {
  const withConfig = () => aNewPool({ spec: { config: [{ name: 'tuned' }] } })

  it('NP-31 makes nodes anew, and is no change of version', () => {
    const world = aWorld(withConfig(), undefined, configMapWith('tuned', 'clusters', { config: aMachineConfig('a') }))
    const provider = new Provider(world)
    const now = settle(world, provider)
    const before = hashIn(world)
    world.put(configMapWith('tuned', 'clusters', { config: aMachineConfig('b') }))
    pass(world, now)
    assert.deepEqual(updating(world), ['False', 'True'])
    assert.equal(secretsIn(world).filter((name) => name.startsWith('token-')).length, 2)
    settle(world, provider, now)
    assert.notEqual(hashIn(world), before)
    assert.deepEqual(updating(world), ['False', 'False'])
    assert.ok(world.list(capi.Machine).every(({ spec }) => spec.bootstrap.dataSecretName === `user-data-workers-${hashIn(world)}`))
  })

  it('NP-32 is none when only the contents of the pull secret change', () => {
    const { world, now } = settled()
    const ref = { namespace: 'clusters', name: 'prod-pull-secret' }
    const secret = world.find(Secret, ref) ?? assert.fail()
    world.put({ ...secret, data: { '.dockerconfigjson': Buffer.from('{"auths":{"a":{}}}').toString('base64') } } as Secret)
    assert.deepEqual(pass(world, now).actions, [])
  })

  it('NP-34 of the whole cluster makes all nodes anew, and is said to be of the configuration', () => {
    const { world, provider, now } = settled()
    const { [PoolAnnotation.currentConfig]: configHash } = poolIn(world).metadata.annotations ?? {}
    configure(world, { image: { registrySources: { blockedRegistries: ['example.com'] } } })
    pass(world, now)
    assert.deepEqual(updating(world), ['False', 'True'])
    settle(world, provider, now)
    assert.equal(poolIn(world).metadata.annotations?.[PoolAnnotation.currentConfig], configHash)
    assert.deepEqual(updating(world), ['False', 'False'])
  })

  it('NP-34 of the whole cluster concerns every pool of it', () => {
    const names = ['workers', 'infra'] as const
    const world = aWorld(aNewPool(), undefined, aNewPool({ name: 'infra' }))
    const provider = new Provider(world)
    let now = noon
    for (const name of names) now = settle(world, provider, now, { name })
    const hashes = () => names.map((name) => poolIn(world, name).metadata.annotations?.[PoolAnnotation.currentConfigVersion])
    const machines = () => world.list(capi.Machine).map(({ metadata }) => metadata.name)
    const [before, old] = [hashes(), machines()]
    configure(world, { image: { registrySources: { blockedRegistries: ['example.com'] } } })
    for (const name of names) pass(world, now, { name })
    for (const name of names) {
      const says = ['UpdatingConfig', 'UpdatingVersion'].map((type) => said(poolIn(world, name), type))
      assert.deepEqual(says, ['True/AsExpected', 'False/AsExpected'], name)
    }
    for (const name of names) now = settle(world, provider, now, { name })
    assert.ok(hashes().every((hash, index) => hash !== before[index]))
    assert.equal(machines().length, 6)
    assert.ok(!machines().some((name) => old.includes(name)), 'every machine is made anew')
  })

  it('4.10 that asks for an operating system which the release does not have is refused as an image, and marks no Secret', () => {
    const { world, now } = settled()
    const hash = hashIn(world)
    setSpec(world, { osImageStream: { name: 'rhel-10' } })
    assert.match(pass(world, now).error ?? '', /osImageStream rhel-10 needs OpenShift 5\.0/)
    assert.deepEqual(
      ['ValidMachineConfig', 'ValidPlatformImage'].map((type) => said(poolIn(world), type)),
      ['True/AsExpected', 'False/ValidationFailed'],
    )
    assert.deepEqual(secretsIn(world), [`token-workers-${hash}`, `user-data-workers-${hash}`])
    assert.equal(expectedHashOf(observe(world), settings, now), undefined, 'nothing is thrown away')
  })

  it('NP-35 that nodes do not have is only noted in the token Secret', () => {
    const { world, now } = settled()
    const secret = () => world.find(Secret, { namespace: home, name: `token-workers-${hashIn(world)}` }) ?? assert.fail()
    const before = secret()
    configure(world, { oauth: { tokenConfig: { accessTokenMaxAgeSeconds: 60 } } })
    world.writes.length = 0
    pass(world, now)
    assert.deepEqual(world.writes, [`patch Secret ${home}/token-workers-${hashIn(world)}`])
    assert.notEqual(decoded(secret(), 'hc-configuration-hash'), decoded(before, 'hc-configuration-hash'))
    assert.equal(decoded(before, 'hc-configuration-hash'), '77074ba4')
    assert.equal(decoded(secret(), 'token'), decoded(before, 'token'))
    assert.deepEqual(updating(world), ['False', 'False'])
  })

  it('NP-36 that is none stops the pass', () => {
    const bad = configMapWith('tuned', 'clusters', { config: 'apiVersion: apps/v1\nkind: Deployment' })
    const world = aWorld(withConfig(), undefined, bad)
    assert.match(pass(world).error ?? '', /unsupported config type/)
    assert.equal(said(poolIn(world), 'ValidMachineConfig'), 'False/ValidationFailed')
  })

  function configure(world: World, configuration: NonNullable<HostedCluster['spec']['configuration']>): void {
    const cluster = world.find(HostedCluster, { namespace: 'clusters', name: 'prod' }) ?? assert.fail()
    world.put({ ...cluster, spec: { ...cluster.spec, configuration } } as HostedCluster)
  }
})

describe('tuning', () => {
  const profile = 'apiVersion: performance.openshift.io/v2\nkind: PerformanceProfile\nmetadata: { name: fast }'
  const tuned = 'apiVersion: tuned.openshift.io/v1\nkind: Tuned\nmetadata: { name: t }'
  const pool = aNodePool({ spec: { tuningConfig: [{ name: 'a' }] } })
  const mirrored = (world: World) =>
    world
      .list(ConfigMap, { namespace: home, labels: { 'hypershift.openshift.io/nodePool': 'workers' } })
      .map(({ metadata }) => metadata.name)

  it('is copied to where the tuning operator looks, also of a pool that is paused', () => {
    const world = aWorld(
      { ...pool, spec: { ...pool.spec, pausedUntil: 'true' } },
      undefined,
      configMapWith('a', 'clusters', { tuning: `${profile}\n---\n${tuned}` }),
    )
    pass(world, noon)
    assert.deepEqual(mirrored(world), ['perfprofile-workers', 'tuned-workers'])
    assert.equal(said(poolIn(world), 'ValidTuningConfig'), 'True/AsExpected')
    setSpec(world, { tuningConfig: [] })
    pass(world, noon)
    assert.deepEqual(mirrored(world), [])
  })

  it('5 is told by conditions of the pool, as far as the tuning operator says how it goes, and as long as there is a profile', () => {
    const labels = {
      'hypershift.openshift.io/nodePool': 'workers',
      'hypershift.openshift.io/nto-generated-performance-profile-status': 'true',
    }
    const status =
      'conditions:\n- { type: Degraded, status: "True", reason: NoSuchCpu, message: there is no CPU 9 }\n- { type: Other, status: "True" }'
    const world = aWorld(pool, undefined, configMapWith('a', 'clusters', { tuning: profile }))
    const degraded = 'performance.operator.openshift.io/Degraded'
    pass(world, noon)
    assert.equal(said(poolIn(world), degraded), undefined)
    world.put(configMapWith('perfprofile-workers-status', home, { status }, labels))
    pass(world, noon)
    assert.equal(said(poolIn(world), degraded), 'True/NoSuchCpu')
    assert.equal(said(poolIn(world), 'performance.operator.openshift.io/Other'), undefined)
    setSpec(world, { tuningConfig: [] })
    pass(world, noon)
    assert.equal(said(poolIn(world), degraded), undefined)
  })

  it('takes one performance profile, and nothing else than tuning', () => {
    const two = aWorld(pool, undefined, configMapWith('a', 'clusters', { tuning: `${profile}\n---\n${profile}` }))
    assert.match(pass(two, noon).error ?? '', /there cannot be more than one PerformanceProfile per NodePool\. found: 2/)
    const other = aWorld(pool, undefined, configMapWith('a', 'clusters', { tuning: 'kind: ConfigMap' }))
    assert.match(pass(other, noon).error ?? '', /unsupported tuningConfig object type: ConfigMap/)
    assert.equal(said(poolIn(other), 'ValidTuningConfig'), 'False/ValidationFailed')
  })
})
