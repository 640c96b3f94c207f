import { ClusterVersion, UpgradeConfig } from '@windlass/api'
import type { Clock } from '@windlass/core'
import { type Client, isAlreadyExists, isConflict, isNotFound } from '@windlass/kube'
import { configSource, entryOf, hasCommenced, type OperatorConfig, upgradeConfigName } from '@windlass/upgrades'
import { Failure } from '../../failures.ts'
import type { ClusterSeen } from './reading.ts'

type Spec = UpgradeConfig['spec']

/** Why an upgrade cannot be asked for; undefined when it can. */
export function objectionTo(spec: Spec, { upgradeConfig, config }: Pick<ClusterSeen, 'upgradeConfig' | 'config'>): string | undefined {
  if (configSource(config) === 'OCM') {
    return 'the upgrades of this cluster come from OCM, which would remove one that is written here: schedule it there'
  }
  const phase = upgradeConfig === undefined ? undefined : entryOf(upgradeConfig)?.phase
  if (phase !== 'Upgrading') return undefined
  const { version = '' } = upgradeConfig?.spec.desired ?? {}
  return `an upgrade to ${version} is under way: wait for its end, or cancel it if it has not commenced, before you ask for ${spec.desired.version ?? 'another'}`
}

/** What calling an upgrade off is judged by. */
export interface CancelView {
  readonly upgradeConfig: UpgradeConfig
  readonly clusterVersion: ClusterVersion
  readonly config: OperatorConfig
}

/** Why an upgrade cannot be called off; undefined when it can. */
export function objectionToCancel({ upgradeConfig, clusterVersion, config }: CancelView): string | undefined {
  const phase = entryOf(upgradeConfig)?.phase
  const { version = '' } = upgradeConfig.spec.desired
  if (phase === 'Upgraded' || phase === 'Failed') return `the upgrade to ${version} is over (${phase}): there is nothing to cancel`
  const commenced = hasCommenced(upgradeConfig.spec.desired, { value: clusterVersion })
  if ('value' in commenced && commenced.value) {
    return `the cluster is on its way to ${version}: there is no way back, and without its UpgradeConfig nobody would look after it`
  }
  if (configSource(config) === 'OCM') {
    return `the upgrade to ${version} comes from OCM, which would bring it back: delete its upgrade policy there, and it goes with the next sync`
  }
  return undefined
}

const poll = 1000
const patience = 60_000

/**
 * Writes an UpgradeConfig in the place of the one that was looked at: one that is over, or has not begun, stands in the way of a new one.
 *
 * Errors: a `Failure` when that one is not as it was any more, or when another one is faster.
 */
export async function writeUpgrade(
  client: Client,
  clock: Clock,
  namespace: string,
  spec: Spec,
  old: UpgradeConfig | undefined,
): Promise<void> {
  const ref = { namespace, name: upgradeConfigName }
  if (old !== undefined) {
    if (!(await isDeletedAsSeen(client, old))) throw new Failure(`${named(ref)} ${changedMeanwhile}`)
    const deadline = clock.monotonic() + patience
    while ((await client.find(UpgradeConfig, ref))?.metadata.uid === old.metadata.uid) {
      if (clock.monotonic() > deadline) throw new Failure(`${named(ref)} was deleted and does not go: look at its finalizers`)
      await clock.sleep(poll)
    }
  }
  try {
    await client.create(UpgradeConfig, { metadata: ref, spec })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    throw new Failure(`${named(ref)} was written by somebody else meanwhile: look at it with windlass upgrade show`, { cause: error })
  }
}

/** The operator writes its progress once a minute: whoever loses that race so often is up against something else. */
const mostAttempts = 5

/**
 * Removes the UpgradeConfig that was looked at, as long as nothing speaks against it. `look` reads anew: whatever has changed since then may be an objection.
 *
 * Errors: a `Failure` when another one has come meanwhile, or when it must stay.
 */
export async function cancelUpgrade(client: Client, { metadata }: UpgradeConfig, look: () => Promise<CancelView>): Promise<void> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const view = await look()
    if (view.upgradeConfig.metadata.uid !== metadata.uid) {
      throw new Failure(`another upgrade has come meanwhile, to ${view.upgradeConfig.spec.desired.version ?? ''}: nothing was changed`)
    }
    const objection = objectionToCancel(view)
    if (objection !== undefined) throw new Failure(objection)
    if (await isDeletedAsSeen(client, view.upgradeConfig)) return
  }
  throw new Failure(`${named(metadata)} ${changedMeanwhile}`)
}

const changedMeanwhile = 'has changed meanwhile, and was left as it is: look at it with windlass upgrade show, then say it again'

/** Deletes an object only if it is as it was seen; false when it is not. One that is gone is deleted. */
async function isDeletedAsSeen(client: Client, { metadata }: UpgradeConfig): Promise<boolean> {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata
  try {
    await client.delete(UpgradeConfig, { namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid, resourceVersion } })
    return true
  } catch (error) {
    if (isNotFound(error)) return true
    if (isConflict(error)) return false
    throw error
  }
}

function named({ namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string }): string {
  return `UpgradeConfig ${namespace}/${name}`
}
