import assert from 'node:assert/strict'
import { it } from 'node:test'
import { HostedControlPlane, Namespace, toCrd } from '@windlass/api'
import { aCondition, aHostedControlPlane } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import { simulate, type World } from '@windlass/kube/simulation'
import { cloudResources } from './cloud-resources.ts'

const ref = { namespace: 'clusters-prod', name: 'prod' }

/** A control plane that goes, and whether its guest is asked to clean up. */
async function going({ client }: World, cleanup: 'true' | 'false'): Promise<void> {
  const { spec, status } = aHostedControlPlane()
  const metadata = {
    ...ref,
    finalizers: ['test.windlass.dev/hold'],
    annotations: { 'hypershift.openshift.io/cleanup-cloud-resources': cleanup },
  }
  await client.create(Namespace, { metadata: { name: ref.namespace } })
  const created = await client.create(HostedControlPlane, { metadata, spec })
  await client.updateStatus(HostedControlPlane, { ...created, status: { ready: true, initialized: true, ...status } })
  await client.delete(HostedControlPlane, ref)
}

const scaledDown = async ({ client }: World): Promise<void> => {
  const live = await client.get(HostedControlPlane, ref)
  const conditions = [
    ...(live.status?.conditions ?? []),
    { ...aCondition('CVOScaledDown', 'True'), lastTransitionTime: '2026-01-01T00:01:00Z' },
  ]
  await client.updateStatus(HostedControlPlane, { ...live, status: { ready: true, initialized: true, ...live.status, conditions } })
}

const said = (world: World) =>
  findCondition(world.state.get(HostedControlPlane, ref)?.status?.conditions, 'CloudResourcesDestroyed')?.status
async function run(world: (world: World) => Promise<void>): Promise<void> {
  await simulate({ seed: 1, definitions: [toCrd(HostedControlPlane)], controllers: () => [cloudResources({})], world })
}

it('4.8 a guest that goes gives back what it has in the cloud once its version operator has stopped', () =>
  run(async (world) => {
    await going(world, 'true')
    await world.sleep('1m')
    assert.equal(said(world), undefined)
    await scaledDown(world)
    await world.until(() => said(world) === 'True', { within: '2m' })
  }))

it('a guest that nobody asks gives back nothing', () =>
  run(async (world) => {
    await going(world, 'false')
    await scaledDown(world)
    await world.sleep('10m')
    assert.equal(said(world), undefined)
  }))
