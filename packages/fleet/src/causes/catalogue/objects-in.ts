import {
  ClusterOperator,
  ClusterVersion,
  ControlPlaneComponent,
  HostedCluster,
  MachineConfigPool,
  Node,
  NodePool,
  Secret,
  UpgradeConfig,
} from '@windlass/api'
import { isTrue } from '@windlass/core'
import type { Client } from '@windlass/kube'
import type { World } from '@windlass/kube/simulation'
import type { WhyView } from '../../contract/index.ts'
import type { ClassicObjects, HostedObjects } from '../../model/objects.ts'
import { explain } from '../explain.ts'

/** Asks why, with what a fleet would have of the cluster. Guests are logical clusters of the same server. */
export function why(world: World, objects: HostedObjects | ClassicObjects): Promise<WhyView> {
  return explain(objects, { clock: world.clock, connect: (kubeconfig) => world.clientOf(logicalClusterIn(kubeconfig)) })
}

function logicalClusterIn(kubeconfig: string): string {
  return /\/clusters\/([a-z0-9-]+)/.exec(kubeconfig)?.[1] ?? ''
}

/** The guest of a hosted cluster, as its administrator gets into it. */
export function guestOf(world: World, name = 'prod'): Client {
  const secret = world.state.get(Secret, { namespace: 'clusters', name: `${name}-admin-kubeconfig` })
  return world.clientOf(logicalClusterIn(Buffer.from(secret?.data?.['kubeconfig'] ?? '', 'base64').toString()))
}

export function hostedIn(world: World, name = 'prod'): HostedObjects {
  const hostedCluster = world.state.get(HostedCluster, { namespace: 'clusters', name })
  if (hostedCluster === undefined) throw new Error(`there is no cluster ${name}`)
  const controlPlaneNamespace = `clusters-${name}`
  return {
    kind: 'Hosted',
    id: `mgmt/clusters/${name}`,
    member: 'mgmt',
    client: world.client,
    isCurrent: true,
    unread: [],
    hostedCluster,
    controlPlaneNamespace,
    components: world.state.list(ControlPlaneComponent, { namespace: controlPlaneNamespace }),
    pools: world.state.list(NodePool, { namespace: 'clusters' }).filter(({ spec }) => spec.clusterName === name),
  }
}

export function classicIn(world: World): ClassicObjects {
  const clusterVersion = world.state.get(ClusterVersion, { name: 'version' })
  if (clusterVersion === undefined) throw new Error('there is no ClusterVersion')
  const nodes = world.state.list(Node)
  const [upgradeConfig] = world.state.list(UpgradeConfig)
  return {
    kind: 'Classic',
    id: 'classic',
    member: 'classic',
    client: world.client,
    isCurrent: true,
    unread: [],
    clusterVersion,
    operators: world.state.list(ClusterOperator),
    machineConfigPools: world.state.list(MachineConfigPool),
    nodes: { wanted: nodes.length, ready: nodes.filter(({ status }) => isTrue(status?.conditions, 'Ready')).length, versions: [] },
    ...(upgradeConfig === undefined ? {} : { upgradeConfig }),
    health: [],
  }
}
