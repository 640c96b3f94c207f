import { ConfigMap, HostedCluster, type KubernetesObject, Namespace, NodePool, type Resource, Secret } from '@windlass/api'
import type { Client, Draft } from '@windlass/kube'
import { createOnce } from './create-once.ts'
import { clusterDraft, fleetNamespace, poolDrafts, roleLabel, type SampleReleases, secretDrafts } from './fleet-objects.ts'
import type { SampleCluster } from './sample-fleet.ts'

/** Says that the fleet was made. Whoever deletes clusters of it does not want them back. */
const marker = { namespace: fleetNamespace, name: 'sample-fleet' }

const atOnce = 16

/**
 * Asks for the clusters of a fleet, in a cluster that has none. One that was left half made is completed. Returns whether anything was to be done.
 */
export async function makeFleet(
  client: Client,
  fleet: readonly SampleCluster[],
  releases: SampleReleases,
  signal: AbortSignal,
): Promise<boolean> {
  if (fleet.length === 0 || (await hasFleet(client, signal))) return false
  const make = <T extends KubernetesObject>(kind: Resource<T>, draft: Draft<T>) => createOnce(client, kind, draft, signal)
  await make(Namespace, { metadata: { name: fleetNamespace } })
  for (let start = 0; start < fleet.length; start += atOnce) {
    await Promise.all(
      fleet.slice(start, start + atOnce).map(async (sample) => {
        for (const secret of secretDrafts(sample)) await make(Secret, secret)
        await make(HostedCluster, clusterDraft(sample, releases))
        for (const pool of poolDrafts(sample, releases)) await make(NodePool, pool)
      }),
    )
  }
  await make(ConfigMap, { metadata: marker, data: { clusters: `${fleet.length}` } })
  return true
}

/** One was made here, or people have clusters of their own. */
async function hasFleet(client: Client, signal: AbortSignal): Promise<boolean> {
  if ((await client.find(ConfigMap, marker, { signal })) !== undefined) return true
  for await (const _ of client.list(HostedCluster, { labelSelector: `!${roleLabel}`, pageSize: 1, signal })) return true
  return false
}
