import { ConfigMap, LogicalCluster, Namespace, Secret, UpgradeConfig } from '@windlass/api'
import type { Clock } from '@windlass/core'
import type { Catalogue } from '@windlass/hosted'
import type { Client } from '@windlass/kube'
import { monitoringHome, place, workerMachines } from '@windlass/simulator'
import { placeStandalone } from '../../simulator/standalone.ts'
import { createOnce } from '../create-once.ts'
import { roleLabel } from '../fleet-objects.ts'
import { configDraft, upgradeDraft, upgradeHome } from './objects.ts'
import { classicSample } from './sample.ts'

export interface MakeParts {
  /** Of the server. */
  readonly client: Client
  /** From the kubeconfig of a logical cluster to a client for it. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  readonly clock: Clock
  readonly catalogue: Catalogue
  readonly speed: number
}

/** Says that it was made. Whoever deletes it does not want it back. */
const marker = { namespace: 'kube-system', name: 'sample-classic-cluster' } as const

/** What its label says while it is being made, and when everything is in it. */
export const ClassicRole = { unfinished: 'classic-unfinished', finished: 'classic' } as const

const { name } = classicSample

/** Makes the classic cluster in a server that never had it. One that was left half made is completed. Returns whether anything was to be done. */
export async function makeClassicCluster(parts: MakeParts, signal: AbortSignal): Promise<boolean> {
  const { client, connect } = parts
  if ((await client.find(ConfigMap, marker, { signal })) !== undefined) return false
  const metadata = { name, labels: { [roleLabel]: ClassicRole.unfinished } }
  await createOnce(client, LogicalCluster, { metadata, spec: { template: 'root' } }, signal)
  const { metadata: present } = await client.get(LogicalCluster, { name }, { signal })
  // Of this name somebody has one already, who was here first.
  if (present.labels?.[roleLabel] === undefined) return false
  if (present.labels[roleLabel] !== ClassicRole.finished) {
    const inside = await connect(await kubeconfigOf(parts, signal), name)
    try {
      await furnish(inside, parts, signal)
    } finally {
      await inside.close()
    }
    await client.patch(LogicalCluster, { name }, { metadata: { labels: { [roleLabel]: ClassicRole.finished } } }, { signal })
  }
  await createOnce(client, ConfigMap, { metadata: marker, data: { cluster: name } }, signal)
  return true
}

async function furnish(inside: Client, { clock, catalogue, speed }: MakeParts, signal: AbortSignal): Promise<void> {
  const { version } = classicSample
  const now = clock.now()
  await placeStandalone({ client: inside, clock, catalogue, version })
  await place(inside, [...workerMachines({ installed: now, infrastructure: name }), ...monitoringHome()])
  await createOnce(inside, Namespace, { metadata: { name: upgradeHome } }, signal)
  await createOnce(inside, ConfigMap, configDraft, signal)
  await createOnce(inside, UpgradeConfig, upgradeDraft(now, speed), signal)
}

/** How often to look for it. The server needs a few milliseconds to make a cluster. */
const pause = 50

async function kubeconfigOf({ client, clock }: MakeParts, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { status } = await client.get(LogicalCluster, { name }, { signal })
    const ref = status?.phase === 'Ready' ? status.kubeconfigSecretRef : undefined
    const secret = ref === undefined ? undefined : await client.find(Secret, ref, { signal })
    const encoded = ref === undefined ? undefined : secret?.data?.[ref.key]
    if (encoded !== undefined) return Buffer.from(encoded, 'base64').toString('utf8')
    await clock.sleep(pause, signal)
  }
}
