import { ClusterVersion } from '@windlass/api'
import type { Clock } from '@windlass/core'
import { type Catalogue, updateGraph } from '@windlass/hosted'
import { type AnyController, type Client, isUnknownKind } from '@windlass/kube'
import { type ChannelGraph, clusterControllers, place, standaloneCluster } from '@windlass/simulator'
import { Failure } from '../failures.ts'

export interface StandaloneParts {
  readonly client: Client
  readonly clock: Clock
  /** The releases there are. */
  readonly catalogue: Catalogue
  /** What the cluster runs when it has to be made. */
  readonly version: string
  readonly seed: string
  readonly speed: number
}

/**
 * A classic cluster: ClusterVersion, operators, pools and nodes, which are made where there is no ClusterVersion, and what moves them through updates.
 *
 * Errors: those of `placeStandalone`.
 */
export async function standaloneControllers(parts: StandaloneParts): Promise<readonly AnyController[]> {
  const { catalogue, seed, speed } = parts
  await placeStandalone(parts)
  return clusterControllers({ seed, speed, updates: updatesOf(catalogue) })
}

/**
 * Makes a classic cluster where there is no ClusterVersion.
 *
 * # Errors
 *
 * `Failure` for a version that the catalogue does not have, and for a server that does not know the kinds.
 */
export async function placeStandalone(parts: Pick<StandaloneParts, 'client' | 'clock' | 'catalogue' | 'version'>): Promise<void> {
  const { client, clock, catalogue, version } = parts
  if (await hasClusterVersion(client)) return
  const [clusterVersion, ...others] = standaloneCluster({ release: releaseOf(catalogue, version), installed: clock.now() })
  // The one that says that it is made comes last: whoever was interrupted begins again.
  await place(client, clusterVersion === undefined ? others : [...others, clusterVersion])
}

async function hasClusterVersion(client: Client): Promise<boolean> {
  try {
    return (await client.find(ClusterVersion, { name: 'version' })) !== undefined
  } catch (error) {
    if (!isUnknownKind(error)) throw error
    throw new Failure(
      'the server does not know the kinds of a classic cluster: create the definitions of deploy/crds first, or take the server of windlass up',
      { cause: error },
    )
  }
}

/** As an update service would name it: that is what clusters are told to pull. */
function releaseOf(catalogue: Catalogue, version: string): { readonly version: string; readonly image: string } {
  const known = catalogue.releases.find((release) => release.version === version)
  const node = known?.channels.flatMap((channel) => updateGraph(catalogue, { channel }).nodes).find((each) => each.version === version)
  if (node !== undefined) return { version, image: node.payload }
  throw new Failure(
    `the release catalogue ${catalogue.name} has no release ${version} in any channel: name one that it has, or give another --release-catalogue`,
  )
}

/** The graph of each channel is made once: it must be the same whenever it is asked for. */
export function updatesOf(catalogue: Catalogue): (channel: string) => ChannelGraph {
  const graphs = new Map<string, ChannelGraph>()
  return (channel) => {
    const graph = graphs.get(channel) ?? updateGraph(catalogue, { channel })
    graphs.set(channel, graph)
    return graph
  }
}
