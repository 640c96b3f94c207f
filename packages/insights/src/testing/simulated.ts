import {
  type ClusterOperator,
  ClusterOperator as ClusterOperatorKind,
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  type KubernetesObject,
  MachineConfig,
  MachineConfigPool,
  MachineConfigPoolProgressInsight,
  Node,
  NodeProgressInsight,
  type Resource,
  toCrd,
  UpdateHealthInsight,
} from '@windlass/api'
import type { Client, Draft } from '@windlass/kube'
import type { World, Write } from '@windlass/kube/simulation'
import { operatorAt } from './clusters.ts'
import { aConfig, aNode, aPool } from './nodes.ts'

export const insightKinds = [
  ClusterVersionProgressInsight,
  ClusterOperatorProgressInsight,
  MachineConfigPoolProgressInsight,
  NodeProgressInsight,
  UpdateHealthInsight,
] as const

export const definitions = [ClusterVersion, ClusterOperatorKind, MachineConfig, MachineConfigPool, ...insightKinds].map(toCrd)

/** Puts an object on a server as a fixture has it, with its status. */
export async function put<T extends KubernetesObject>(client: Client, kind: Resource<T>, object: T): Promise<void> {
  const { name = '', labels, annotations } = object.metadata
  const metadata = { name, ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }) }
  const spec: unknown = Reflect.get(object, 'spec')
  const value: unknown = Reflect.get(object, 'status')
  // The fixture is whole; what the server writes itself is left to the server.
  await client.create<KubernetesObject>(kind, { metadata, spec } as Draft<KubernetesObject>)
  // Not a merge patch: to that, the nulls of a cluster version would mean that there is nothing.
  if (value !== undefined) await client.patchStatus<KubernetesObject>(kind, { name }, [{ op: 'add', path: '/status', value }])
}

export const version = { name: 'version' } as const

export interface Inhabitants {
  readonly operators: number
  /** By pool. */
  readonly nodes: Readonly<Record<string, number>>
  /** What everything runs. */
  readonly running: string
}

const day = '2025-12-01T'

/** A classic cluster that rests. */
export async function restingCluster(client: Client, { operators, nodes, running }: Inhabitants): Promise<void> {
  const image = `image-of-${running}`
  const history = [
    { state: 'Completed', startedTime: `${day}00:00:00Z`, completionTime: `${day}01:00:00Z`, version: running, image, verified: true },
  ] as const
  const said = (type: string, status: 'True' | 'False', message = '') => ({ type, status, message, lastTransitionTime: `${day}01:00:00Z` })
  await put(client, ClusterVersion, {
    apiVersion: ClusterVersion.apiVersion,
    kind: ClusterVersion.kind,
    metadata: version,
    spec: { clusterID: '0b8c2f6e-93f1-4d0e-8a6d-2f1f0d9c7b55' },
    status: {
      desired: { version: running, image },
      history,
      observedGeneration: 1,
      versionHash: 'hash',
      availableUpdates: null,
      conditions: [said('Available', 'True'), said('Failing', 'False'), said('Progressing', 'False', `Cluster version is ${running}`)],
    },
  })
  for (let index = 0; index < operators; index++) {
    await put<ClusterOperator>(client, ClusterOperatorKind, operatorAt(running, { name: `operator-${index}` }))
  }
  await put(client, MachineConfig, aConfig(`rendered-${running}`, running))
  for (const [pool, count] of Object.entries(nodes)) {
    await put(client, MachineConfigPool, aPool(pool))
    for (let index = 0; index < count; index++) {
      await put(client, Node, aNode({ name: `${pool}-${index}`, roles: [pool], notes: resting(running) }))
    }
  }
}

/** What the daemon of a node writes that has nothing to do. */
export function resting(running: string): Readonly<Record<string, string>> {
  const config = `rendered-${running}`
  const drain = `uncordon-${config}`
  return { currentConfig: config, desiredConfig: config, state: 'Done', desiredDrain: drain, lastAppliedDrain: drain }
}

/** Writes annotations of the daemon of a node. */
export function note(world: World, node: string, notes: Readonly<Record<string, string>>): Promise<unknown> {
  const annotations = Object.fromEntries(Object.entries(notes).map(([name, value]) => [`machineconfiguration.openshift.io/${name}`, value]))
  return world.client.patch(Node, { name: node }, { metadata: { annotations } })
}

export function isInsight(write: Write): boolean {
  return insightKinds.some((kind) => write.isOf(kind))
}
