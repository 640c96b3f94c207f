import { ClusterOperator, ClusterVersion, MachineConfig, MachineConfigPool, Node, toCrd } from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import type { Client } from '@windlass/kube'
import type { World } from '@windlass/kube/simulation'
import { place, standaloneCluster, type StandaloneOptions } from '../fixtures/index.ts'
import { failureAnnotation } from '../../failures/index.ts'
import type { ChannelGraph } from '../updates/index.ts'

export const definitions = [ClusterVersion, ClusterOperator, MachineConfigPool, MachineConfig].map(toCrd)

/** When every simulation begins. */
export const start = Date.UTC(2026, 0, 1)

export function aRelease(version: string) {
  return { version, image: aReleaseImage(version) }
}

/** A stream of patches, and the next minor. Each can be updated to all that come after it. */
export const versions = ['4.18.14', '4.18.15', '4.18.16', '4.18.17', '4.19.1', '4.20.1'] as const

/** From everything to everything that is newer, in every channel. */
export function updates(): ChannelGraph {
  const nodes = versions.map((version) => ({ version, payload: aReleaseImage(version), metadata: {} }))
  const edges = versions.flatMap((_, from) => versions.flatMap((_version, to) => (from < to ? [[from, to] as const] : [])))
  return { nodes, edges }
}

/** A cluster at 4.18.15 that rests. */
export function given(options: Partial<StandaloneOptions> = {}): (client: Client) => Promise<void> {
  return (client) =>
    place(client, standaloneCluster({ release: aRelease('4.18.15'), installed: start - 86_400_000, channel: 'stable-4.18', ...options }))
}

export const versionName = { name: 'version' } as const

/** What the script of a simulation asks about a cluster, in a few words. */
export function looking(world: World) {
  const clusterVersion = () => world.state.get(ClusterVersion, versionName)
  const operator = (name: string) => world.state.get(ClusterOperator, { name })
  const pool = (name: string) => world.state.get(MachineConfigPool, { name })
  const node = (name: string) => world.state.get(Node, { name })
  const told = (
    condition: { readonly status?: string; readonly reason?: string; readonly message?: string } | undefined,
  ): string | undefined =>
    condition === undefined ? undefined : [condition.status, condition.reason ?? '', condition.message ?? ''].join('|')
  return {
    clusterVersion,
    operator,
    pool,
    node,
    /** `Partial 4.18.16`, newest first; with an asterisk when it has an end. */
    history: (): readonly string[] =>
      (clusterVersion()?.status?.history ?? []).map(
        ({ state, version = '', completionTime }) => `${state} ${version}${completionTime === null ? '' : '*'}`,
      ),
    /** `True|Reason|message` of a condition of the ClusterVersion. */
    says: (type: string) => told(findCondition(clusterVersion()?.status?.conditions, type)),
    operatorSays: (name: string, type: string) => told(findCondition(operator(name)?.status?.conditions, type)),
    poolSays: (name: string, type: string) => told(findCondition(pool(name)?.status?.conditions, type)),
    nodeSays: (name: string, type: string) => told(findCondition(node(name)?.status?.conditions, type)),
    operatorVersion: (name: string) => operator(name)?.status?.versions?.find((part) => part.name === 'operator')?.version,
    ask: (desiredUpdate: object | null) =>
      world.client.patch(ClusterVersion, versionName, { spec: { desiredUpdate: desiredUpdate as never } }),
    isCompleted: (version: string): boolean => {
      const [newest] = clusterVersion()?.status?.history ?? []
      return (
        newest?.state === 'Completed' &&
        newest.version === version &&
        told(findCondition(clusterVersion()?.status?.conditions, 'Progressing'))?.startsWith('False') === true
      )
    },
    /** All pools are where the cluster is. */
    areNodesDone: (version: string): boolean =>
      world.state
        .list(Node)
        .every(
          ({ status, spec }) => spec.unschedulable !== true && status?.nodeInfo?.kubeletVersion === `v1.31.${version.split('.')[2] ?? ''}`,
        ),
    fail: (
      kind: typeof ClusterVersion | typeof ClusterOperator | typeof MachineConfigPool | typeof Node,
      name: string,
      what: string | null,
    ) => world.client.patch(kind as typeof Node, { name }, { metadata: { annotations: { [failureAnnotation]: what } } }),
  }
}
