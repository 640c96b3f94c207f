import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Deployment } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { operator, simulate, type World } from '@windlass/kube/simulation'
import { fleet, invariants } from '../testing/index.ts'
import { Annotation } from './wire.ts'

const { ask, change, clusterIn, controllers, controlPlaneIn, definitions, given, historyOf, surroundings } = fleet

const own = (name: string): string => `hypershift.openshift.io/${name}`
const annotate = (world: World, annotations: Readonly<Record<string, string | null>>) => change(world, { metadata: { annotations } })

/** All images of all Deployments, as `kube-scheduler/kube-scheduler`. */
function imagesIn({ state }: World): Readonly<Record<string, string>> {
  const entries = state.list(Deployment).flatMap(({ metadata: { name = '' }, spec: { template } }) => {
    const { containers, initContainers = [] } = template.spec
    return [...containers, ...initContainers].map((each) => [`${name}/${each.name}`, each.image ?? ''] as const)
  })
  return Object.fromEntries(entries)
}

/** A cluster of 4.19.6 that has settled, and then whatever happens. */
const run = (world: (world: World, usual: Readonly<Record<string, string>>) => Promise<void>) =>
  simulate({
    seed: 1,
    definitions,
    given,
    controllers,
    programs: { cluster: operator({ controllers: surroundings }) },
    limit: '48h',
    invariants,
    world: async (scene) => {
      await ask(scene.client)
      await scene.until(() => historyOf(scene)[0] === 'Completed 4.19.6', { within: '1h' })
      await scene.settled({ within: '1h' })
      await world(scene, imagesIn(scene))
    },
  })

describe('images in the place of those of the release', () => {
  it('1.9 run where the cluster names them, and leave the rest, the version and its history as they are', async () => {
    await run(async (world, usual) => {
      const { controlPlaneVersion } = clusterIn(world)?.status ?? {}
      await annotate(world, {
        [Annotation.imageOverrides]:
          'oauth-server=example.com/oauth:1,cluster-capi-controllers=example.com/capi:1,ovn-kubernetes=example.com/ovn:1',
      })
      const patched = {
        ...usual,
        'oauth-openshift/oauth-openshift': 'example.com/oauth:1',
        'cluster-api/manager': 'example.com/capi:1',
        'ovnkube-control-plane/ovnkube-control-plane': 'example.com/ovn:1',
        'network-node-identity/approver': 'example.com/ovn:1',
      }
      await world.until(() => imagesIn(world)['oauth-openshift/oauth-openshift'] === 'example.com/oauth:1', { within: '5m' })
      await world.settled({ within: '1h' })
      assert.deepEqual(imagesIn(world), patched)
      assert.deepEqual(clusterIn(world)?.status?.controlPlaneVersion, controlPlaneVersion)

      await fleet.upgrade(world, '4.19.7')
      await world.until(() => historyOf(world)[0] === 'Completed 4.19.7', { within: '1h' })
      assert.equal(imagesIn(world)['oauth-openshift/oauth-openshift'], 'example.com/oauth:1')
    })
  })

  it('are refused on the cluster when nobody can read them, what runs goes on, and the release is back without them', async () => {
    await run(async (world, usual) => {
      const valid = () => findCondition(clusterIn(world)?.status?.conditions, 'ValidConfiguration')
      await annotate(world, { [Annotation.imageOverrides]: 'oauth-server=example.com/oauth:1' })
      await world.until(() => imagesIn(world)['oauth-openshift/oauth-openshift'] === 'example.com/oauth:1', { within: '5m' })
      await world.settled({ within: '1h' })
      const before = imagesIn(world)
      await annotate(world, { [Annotation.imageOverrides]: 'oauth-server=example.com/oauth:2,cli' })
      await world.until(() => valid()?.status === 'False', { within: '1m' })
      assert.equal(valid()?.reason, 'InvalidConfiguration')
      assert.match(valid()?.message ?? '', /^annotation hypershift\.openshift\.io\/image-overrides: "cli" is not name=image: write/)
      await world.sleep('30m')
      assert.deepEqual(imagesIn(world), before)
      assert.equal(controlPlaneIn(world)?.metadata.annotations?.[Annotation.imageOverrides], 'oauth-server=example.com/oauth:1')

      await annotate(world, { [Annotation.imageOverrides]: null })
      await world.until(() => valid()?.status === 'True', { within: '1m' })
      await world.settled({ within: '1h' })
      assert.deepEqual(imagesIn(world), usual)
      assert.deepEqual(historyOf(world), ['Completed 4.19.6'])
    })
  })

  it('1.9 may be named for the operators that the cluster runs itself, one by one', async () => {
    await run(async (world, usual) => {
      const images = {
        'control-plane-operator/control-plane-operator': 'example.com/operator:1',
        'cluster-api/manager': 'example.com/capi:1',
        'capi-provider/manager': 'example.com/provider:1',
      }
      await annotate(world, {
        [own('control-plane-operator-image')]: 'example.com/operator:1',
        [own('capi-manager-image')]: 'example.com/capi:1',
        [own('capi-provider-kubevirt-image')]: 'example.com/provider:1',
      })
      await world.until(() => imagesIn(world)['capi-provider/manager'] === 'example.com/provider:1', { within: '5m' })
      await world.settled({ within: '1h' })
      assert.deepEqual(imagesIn(world), { ...usual, ...images })
    })
  })
})
