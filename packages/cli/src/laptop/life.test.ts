import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ClusterOperator,
  ClusterVersion,
  ControlPlaneComponent,
  Deployment,
  HostedCluster,
  HostedControlPlane,
  LogicalCluster,
  Namespace,
  NodePool,
  Pod,
} from '@windlass/api'
import type { Resource } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { forEachSeed, simulate, type World } from '@windlass/kube/simulation'
import { aLaptop, ask, change, clusterOf, controlPlaneOf, historiesOf, isAt, ofName, releases, upgrade } from './testing/index.ts'

const name = 'stage-eu-1'
const steady = { name, role: 'steady', version: '4.19.12' } as const

/** How an install goes on, for people who look at a failed test. */
function described(world: World): string {
  const conditions = (clusterOf(world, name)?.status?.conditions ?? []).map(
    ({ type, status, reason, message }) => `${type} ${status} ${reason} ${message ?? ''}`,
  )
  const components = world.state.list(ControlPlaneComponent).flatMap(({ metadata, status }) => {
    const complete = findCondition(status?.conditions, 'RolloutComplete')
    return complete?.status === 'True' ? [] : [`${metadata.name ?? ''}: ${complete?.message ?? ''}`]
  })
  return [...conditions, ...components, JSON.stringify(historiesOf(world, name))].join('\n')
}

async function until(world: World, isSo: () => boolean, within = '2h'): Promise<void> {
  try {
    await world.until(isSo, { within, every: '5s' })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : ''}\n${described(world)}`, { cause: error })
  }
}

async function installed(world: World): Promise<void> {
  await ask(world, steady)
  await until(world, () => isAt(world, name, '4.19.12'))
}

/** Everything that was made for the cluster and is still there. */
const leftOf = (world: World): readonly string[] => [
  ...([HostedCluster, HostedControlPlane, ControlPlaneComponent, Deployment, Pod, LogicalCluster, NodePool] as readonly Resource[]).flatMap(
    (kind) => world.state.list(kind).map(({ metadata }) => `${kind.kind} ${metadata.name ?? ''}`),
  ),
  ...world.state
    .list(Namespace)
    .flatMap(({ metadata }) => ((metadata.name ?? '').startsWith('clusters-') ? [`Namespace ${metadata.name ?? ''}`] : [])),
]

describe('a hosted cluster of simulated parts', () => {
  it(
    'is installed, upgraded within its stream and to the next one, patched on the management side alone, and goes without a trace',
    { timeout: 240_000 },
    async () => {
      await simulate(
        aLaptop(1, async (world) => {
          await installed(world)
          assert.equal(findCondition(clusterOf(world, name)?.status?.conditions, 'Available')?.status, 'True')
          const guest = world.clientOf(`clusters-${name}`)
          assert.equal((await guest.get(ClusterVersion, { name: 'version' })).spec.clusterID, controlPlaneOf(world, name)?.spec.clusterID)
          const operators: ClusterOperator[] = []
          for await (const operator of guest.list(ClusterOperator)) operators.push(operator)
          assert.ok(
            operators.length > 15 && operators.every(({ status }) => findCondition(status?.conditions, 'Available')?.status === 'True'),
          )

          await upgrade(world, name, '4.19.15')
          await until(world, () => isAt(world, name, '4.19.15'))
          await upgrade(world, name, '4.20.8')
          await until(world, () => historiesOf(world, name).guest[0] === 'Partial 4.20.8')
          const operator = world.state.get(Deployment, { namespace: `clusters-${name}`, name: 'cluster-version-operator' })
          assert.equal(
            operator?.spec.template.metadata?.annotations?.['hypershift.openshift.io/release-image'],
            releases.pullspec('4.20.8'),
            'the guest follows',
          )
          await until(world, () => isAt(world, name, '4.20.8'))

          const before = historiesOf(world, name).guest
          await change(world, name, { spec: { controlPlaneRelease: { image: releases.pullspec('4.20.10') } } })
          await until(world, () => historiesOf(world, name).management[0] === 'Completed 4.20.10')
          await world.settled({ within: '1h' })
          assert.deepEqual(historiesOf(world, name), {
            management: ['4.20.10', '4.20.8', '4.19.15', '4.19.12'].map((version) => `Completed ${version}`),
            guest: before,
          })

          await world.client.delete(HostedCluster, ofName(name))
          await until(world, () => clusterOf(world, name) === undefined, '1h')
          await world.settled({ within: '1h' })
          assert.deepEqual(leftOf(world), [])
        }),
      )
    },
  )

  it('is installed and upgraded whatever goes wrong', { timeout: 240_000 }, async () => {
    await forEachSeed({ count: 1 }, (seed) =>
      simulate(
        aLaptop(
          seed,
          async (world) => {
            await installed(world)
            await upgrade(world, name, '4.20.8')
            await until(world, () => isAt(world, name, '4.20.8'), '6h')
            assert.deepEqual(historiesOf(world, name).guest, ['Completed 4.20.8', 'Completed 4.19.12'])
          },
          { faults: 'all', calmAfter: '30m' },
        ),
      ),
    )
  })
})
