import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { capi, HostedCluster, KubevirtMachineTemplate, Secret } from '@windlass/api'
import { aHostedCluster, aReleaseImage } from '@windlass/api/fixtures'
import type { World } from '../hosted-cluster/testing/index.ts'
import { expectedHashOf } from './seen.ts'
import {
  aMachineConfig,
  aNewPool,
  aWorld,
  configMapWith,
  hour,
  minute,
  observe,
  pass,
  poolIn,
  Provider,
  secretsIn,
  setSpec,
  settings,
  settle,
} from './testing/index.ts'
import { decideSecret, decoded, isPoolSecret } from './token/index.ts'

/** One thing that somebody does to a pool. */
type Deed =
  | { readonly do: 'release'; readonly version: string }
  | { readonly do: 'config'; readonly contents: string }
  | { readonly do: 'scale'; readonly replicas: number }
  | { readonly do: 'pause'; readonly isPaused: boolean }
  | { readonly do: 'hardware'; readonly cores: number }
  | { readonly do: 'drop-token' }
  | { readonly do: 'time'; readonly steps: number }

const deeds: fc.Arbitrary<Deed> = fc.oneof(
  fc.constantFrom('4.19.6', '4.20.0', '4.20.1').map((version): Deed => ({ do: 'release', version })),
  fc.constantFrom('a', 'b', 'c').map((contents): Deed => ({ do: 'config', contents })),
  fc.integer({ min: 0, max: 4 }).map((replicas): Deed => ({ do: 'scale', replicas })),
  fc.boolean().map((isPaused): Deed => ({ do: 'pause', isPaused })),
  fc.constantFrom(2, 4).map((cores): Deed => ({ do: 'hardware', cores })),
  fc.constant<Deed>({ do: 'drop-token' }),
  fc.integer({ min: 1, max: 6 }).map((steps): Deed => ({ do: 'time', steps })),
)

const home = 'clusters-prod'

/** What the janitor does in one round over all Secrets. */
function tidy(world: World, now: number): void {
  const observed = observe(world)
  const { pool, cluster, machineSets, machines } = observed
  for (const secret of world.list(Secret).filter(isPoolSecret)) {
    const expectedHash = expectedHashOf(observed, settings, now)
    const users = { machineSets, machines: machines.is === 'found' ? machines.value : [] }
    world.carryOut(decideSecret({ secret, pool, cluster, expectedHash, ...users }, now).actions, now)
  }
}

function carryOut(deed: Deed, world: World, provider: Provider, now: number): number {
  switch (deed.do) {
    case 'release':
      setSpec(world, { release: { image: aReleaseImage(deed.version) } })
      return now
    case 'config':
      world.put(configMapWith('own', 'clusters', { config: aMachineConfig(deed.contents) }))
      return now
    case 'scale':
      setSpec(world, { replicas: deed.replicas })
      return now
    case 'pause':
      setSpec(world, { pausedUntil: String(deed.isPaused) })
      return now
    case 'hardware':
      setSpec(world, { platform: { type: 'KubeVirt', kubevirt: { rootVolume: {}, compute: { cores: deed.cores } } } })
      return now
    case 'drop-token': {
      const [name] = secretsIn(world)
      if (name !== undefined) world.drop(Secret, { namespace: home, name })
      return now
    }
    case 'time': {
      for (let step = 0; step < deed.steps; step++) {
        pass(world, now + step * minute)
        provider.step(now + step * minute)
      }
      return now + deed.steps * minute
    }
    default:
      return deed satisfies never
  }
}

describe('whatever people do to a pool', () => {
  it('NP-70 it gets to what it asks for last, and leaves nothing over', () => {
    fc.assert(
      fc.property(fc.array(deeds, { minLength: 1, maxLength: 10 }), fc.integer({ min: 1, max: 3 }), (list, bootSteps) => {
        const pool = aNewPool({ spec: { config: [{ name: 'own' }] } })
        const world = aWorld(pool, aHostedCluster({ release: '4.20.1' }), configMapWith('own', 'clusters', { config: aMachineConfig('a') }))
        const provider = new Provider(world, { bootSteps })
        let now = settle(world, provider)
        let last = poolIn(world).status?.version
        for (const deed of list) {
          now = carryOut(deed, world, provider, now)
          const version = poolIn(world).status?.version
          // Back by a minor is refused until it is asked for otherwise: then the pool stays where it is.
          if (deed.do === 'release') last = deed.version
          assert.notEqual(version, undefined)
        }
        const { version } = poolIn(world).status ?? {}
        if (last === '4.19.6' && version !== '4.19.6') setSpec(world, { release: { image: aReleaseImage('4.20.1') } })
        setSpec(world, { pausedUntil: 'false' })
        now = settle(world, provider, now)
        now = settle(world, provider, now + hour)
        tidy(world, now)
        for (let step = 0; step < 4; step++) {
          now += hour
          provider.step(now)
          pass(world, now)
          tidy(world, now)
        }
        const hash = expectedHashOf(observe(world), settings, now) ?? assert.fail()
        const secret = world.find(Secret, { namespace: home, name: `token-workers-${hash}` }) ?? assert.fail('the token is missing')
        assert.deepEqual(secretsIn(world), [`token-workers-${hash}`, `user-data-workers-${hash}`])
        assert.equal(poolIn(world).status?.version, decoded(secret, 'release-version'))
        const { replicas = 0 } = poolIn(world).spec
        assert.equal(poolIn(world).status?.replicas, replicas)
        assert.ok(world.list(capi.Machine).every(({ spec }) => spec.bootstrap.dataSecretName === `user-data-workers-${hash}`))
        const used = new Set(world.list(capi.MachineSet).map(({ spec }) => spec.template?.spec?.infrastructureRef.name))
        assert.ok(world.list(KubevirtMachineTemplate).every(({ metadata }) => used.has(metadata.name)))
        assert.equal(world.list(HostedCluster).length, 1)
      }),
      { numRuns: 25 },
    )
  })
})
