import { capi, Secret } from '@windlass/api'
import type { NodePool } from '@windlass/api'
import { aHostedCluster } from '@windlass/api/fixtures'
import type { World } from '../../hosted-cluster/testing/index.ts'
import { PoolAnnotation } from '../wire.ts'
import { aNewPool, aWorld, poolIn, said, settle } from './pools.ts'
import { Provider } from './provider.ts'

/** A pool that has come to rest at 4.19.6 below a control plane at 4.20.1. */
export function settled(pool: NodePool = aNewPool()): { readonly world: World; readonly provider: Provider; readonly now: number } {
  const world = aWorld(pool, aHostedCluster({ release: '4.20.1' }))
  const provider = new Provider(world)
  const now = settle(world, provider)
  provider.forget()
  world.events.length = 0
  return { world, provider, now }
}

/** The hash of the last completed configuration. */
export function hashIn(world: World): string {
  return poolIn(world).metadata.annotations?.[PoolAnnotation.currentConfigVersion] ?? ''
}

export function deploymentIn(world: World): capi.MachineDeployment {
  const deployment = world.find(capi.MachineDeployment, { namespace: 'clusters-prod', name: 'workers' })
  if (deployment === undefined) throw new Error('there is no MachineDeployment')
  return deployment
}

export function secretIn(world: World, name: string): Secret | undefined {
  return world.find(Secret, { namespace: 'clusters-prod', name })
}

/** What UpdatingVersion and UpdatingConfig say. */
export function updating(world: World): readonly (string | undefined)[] {
  return ['UpdatingVersion', 'UpdatingConfig'].map((type) => said(poolIn(world), type)?.replace(/\/.*/, ''))
}

/** The versions of all machines, sorted. */
export function versionsIn(world: World): readonly string[] {
  const versions = world.list(capi.Machine).map(({ spec }) => spec.version ?? '')
  return versions.toSorted()
}
