import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ControlPlaneComponent, HostedControlPlane, Namespace, Secret, toCrd } from '@windlass/api'
import { aControlPlaneComponent, aHostedControlPlane, aReleaseImage } from '@windlass/api/fixtures'
import type { Client } from '@windlass/kube'
import { forEachSeed, simulate, type World } from '@windlass/kube/simulation'
import { catalogueResolver, parsePullspec, type ReleaseResolver, type ResolveOptions, sampleCatalogue } from '../releases/index.ts'
import { invariants } from '../testing/index.ts'
import { controlPlaneVersion } from './index.ts'

const namespace = 'clusters-prod'
const releases = catalogueResolver(sampleCatalogue())
const definitions = [HostedControlPlane, ControlPlaneComponent].map(toCrd)
const names = ['etcd', 'kube-apiserver', 'kube-scheduler']
const [first, second, third] = ['4.18.1', '4.18.2', '4.19.1']

/** A control plane that another operator has just made, at the first release, with its components. */
async function given(client: Client): Promise<void> {
  await client.create(Namespace, { metadata: { name: namespace } })
  const { metadata: _, status: _status, ...controlPlane } = aHostedControlPlane({ release: first })
  await client.create(HostedControlPlane, { ...controlPlane, metadata: { namespace, name: 'prod' } })
  for (const name of names) await client.create(ControlPlaneComponent, { metadata: { namespace, name }, spec: {} })
}

/** What the other operator reports, component by component. */
async function rollOut(world: World, version: string): Promise<void> {
  const generation = world.state.get(HostedControlPlane, { namespace, name: 'prod' })?.metadata.generation ?? 1
  for (const name of names) {
    await world.sleep('20s')
    const { status } = aControlPlaneComponent({ version })
    await world.client.patchStatus(ControlPlaneComponent, { namespace, name }, { status: { ...status, observedGeneration: generation } })
  }
}

const wish = (world: World, version: string) =>
  world.client.patch(HostedControlPlane, { namespace, name: 'prod' }, { spec: { releaseImage: aReleaseImage(version) } })

const historyOf = (world: World) =>
  world.state.get(HostedControlPlane, { namespace, name: 'prod' })?.status?.controlPlaneVersion?.history ?? []
const shown = (world: World): readonly string[] => historyOf(world).map(({ state, version }) => `${state} ${version}`)

describe('the controller control-plane-version', () => {
  it(
    'keeps the history of three updates, one of them overtaken, whatever goes wrong, and no entry twice',
    { timeout: 60_000 },
    async () => {
      await forEachSeed({ count: 25 }, (seed) =>
        simulate({
          seed,
          definitions,
          given,
          controllers: () => [controlPlaneVersion(releases)],
          processes: 2,
          faults: 'all',
          calmAfter: '20m',
          invariants,
          async world(world) {
            await rollOut(world, first)
            await world.until(() => shown(world)[0] === `Completed ${first}`, { within: '30m' })
            await wish(world, second)
            await world.until(() => shown(world)[0] === `Partial ${second}`, { within: '30m' })
            await wish(world, third)
            await world.until(() => shown(world)[0] === `Partial ${third}`, { within: '30m' })
            await rollOut(world, third)
            await world.until(() => shown(world)[0] === `Completed ${third}`, { within: '30m' })
            assert.deepEqual(shown(world), [`Completed ${third}`, `Partial ${second}`, `Completed ${first}`])
          },
        }),
      )
    },
  )

  it('asks where the control plane says that images are, with its credentials', async () => {
    const asked: ResolveOptions[] = []
    const listening: ReleaseResolver = {
      resolve(pullspec, options = {}) {
        asked.push(options)
        return releases.resolve(pullspec, options)
      },
    }
    await simulate({
      seed: 1,
      definitions,
      async given(client) {
        await given(client)
        const mirrors = [{ source: 'example.com/ocp/release', mirrors: ['mirror.local/ocp/release'] }]
        await client.patch(HostedControlPlane, { namespace, name: 'prod' }, { spec: { imageContentSources: mirrors } })
        const auths = { 'mirror.local': { auth: btoa('me:secret') } }
        const data = { '.dockerconfigjson': btoa(JSON.stringify({ auths })) }
        await client.create(Secret, { metadata: { namespace, name: 'pull-secret' }, data })
      },
      controllers: () => [controlPlaneVersion(listening)],
      async world(world) {
        await rollOut(world, first)
        await world.until(() => shown(world)[0] === `Completed ${first}`, { within: '5m' })
      },
    })
    assert.ok(asked.length > 0)
    for (const { mirrors, pullSecret } of asked) {
      const [place] = mirrors?.placesOf(parsePullspec(`example.com/ocp/release@sha256:${'a'.repeat(64)}`)) ?? []
      assert.deepEqual(place, { registry: 'mirror.local', repository: 'ocp/release' })
      assert.equal(pullSecret?.credentialFor(place)?.kind, 'password')
    }
  })

  it('W9 writes nothing while nothing changes', async () => {
    const { writes } = await simulate({
      seed: 1,
      definitions,
      given,
      controllers: () => [controlPlaneVersion(releases)],
      invariants,
      async world(world) {
        await rollOut(world, first)
        await world.until(() => shown(world)[0] === `Completed ${first}`, { within: '5m' })
        await world.sleep('24h')
      },
    })
    assert.equal(writes.filter((write) => write.isOf(HostedControlPlane)).length, 2)
  })
})
