import { ClusterVersion, UpgradeConfig } from '@windlass/api'
import type { Clock } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { configSource, entryOf, hasCommenced, upgradeConfigName } from '@windlass/upgrades'
import { Failure } from '../../failures.ts'
import type { ClusterSeen } from './reading.ts'

type Spec = UpgradeConfig['spec']

/** Why an upgrade cannot be asked for; undefined when it can. */
export function objectionTo(spec: Spec, { upgradeConfig, config }: ClusterSeen): string | undefined {
  if (configSource(config) === 'OCM') {
    return 'the upgrades of this cluster come from OCM, which would remove one that is written here: schedule it there'
  }
  const phase = upgradeConfig === undefined ? undefined : entryOf(upgradeConfig)?.phase
  if (phase !== 'Upgrading') return undefined
  const { version = '' } = upgradeConfig?.spec.desired ?? {}
  return `an upgrade to ${version} is under way: wait for its end, or cancel it if it has not commenced, before you ask for ${spec.desired.version ?? 'another'}`
}

const poll = 1000
const patience = 60_000

/** Writes an UpgradeConfig in the place of any other: one that is over, or has not begun, stands in the way of a new one. */
export async function writeUpgrade(client: Client, clock: Clock, namespace: string, spec: Spec): Promise<void> {
  const ref = { namespace, name: upgradeConfigName }
  const old = await client.find(UpgradeConfig, ref)
  if (old !== undefined) {
    await client.delete(UpgradeConfig, ref, { gracePeriodSeconds: 0 })
    const deadline = clock.monotonic() + patience
    while ((await client.find(UpgradeConfig, ref))?.metadata.uid === old.metadata.uid) {
      if (clock.monotonic() > deadline) {
        throw new Failure(`UpgradeConfig ${namespace}/${upgradeConfigName} was deleted and does not go: look at its finalizers`)
      }
      await clock.sleep(poll)
    }
  }
  await client.create(UpgradeConfig, { metadata: ref, spec })
}

/** Why an upgrade cannot be called off; undefined when it can. */
export function objectionToCancel(upgradeConfig: UpgradeConfig, clusterVersion: ClusterVersion): string | undefined {
  const phase = entryOf(upgradeConfig)?.phase
  const { version = '' } = upgradeConfig.spec.desired
  if (phase === 'Upgraded' || phase === 'Failed') return `the upgrade to ${version} is over (${phase}): there is nothing to cancel`
  const commenced = hasCommenced(upgradeConfig.spec.desired, { value: clusterVersion })
  if ('value' in commenced && commenced.value) {
    return `the cluster is on its way to ${version}: there is no way back, and without its UpgradeConfig nobody would look after it`
  }
  return undefined
}

/** Only the one that was looked at: another may have come meanwhile. */
export async function cancelUpgrade(client: Client, { metadata }: UpgradeConfig): Promise<void> {
  const { namespace = '', name = '', uid } = metadata
  await client.delete(UpgradeConfig, { namespace, name }, uid === undefined ? {} : { preconditions: { uid } })
}
