import { Lease } from '@windlass/api'
import type { Client } from '@windlass/kube'

/** How managers of Cluster API and of its providers call the Lease that one of them leads by. Those of older providers end with the group of their kinds. */
const ofRealManagers = [
  /^controller-leader-elect(?:ion)?-cap[a-z0-9-]+$/,
  /\.cluster\.x-k8s\.io$/,
  /\.agent-install\.openshift\.io$/,
] as const

/**
 * Leases of real managers of machines in a cluster, as `<namespace>/<name>`. Where there is one, machines must not be simulated: both would look after the same
 * Machines, and the real ones cost money.
 */
export async function realMachineManagers(client: Pick<Client, 'list'>, signal?: AbortSignal): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { metadata } of client.list(Lease, signal === undefined ? {} : { signal })) {
    const { namespace = '', name = '' } = metadata
    if (ofRealManagers.some((pattern) => pattern.test(name))) found.push(`${namespace}/${name}`)
  }
  return found.toSorted()
}
