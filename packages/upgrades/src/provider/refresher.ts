import { ClusterVersion, type JsonObject, UpgradeConfig } from '@windlass/api'
import { create, isAlreadyExists, patch, type ReconcileContext, refOf, remove } from '@windlass/kube'
import { hasCommenced } from '../cluster/cluster-version.ts'
import { checkConfig, configSource, type OperatorConfig } from '../config/index.ts'
import { performAll } from '../effects/index.ts'
import { clusterVersionRef, type Looking, lookAt, performer, StoredUpgrade } from '../hands/index.ts'
import type { Refresh } from '../observed/facts.ts'
import { type Seen, seen } from '../observed/seen.ts'
import type { UpgradeParts } from '../parts.ts'
import { tearDown } from '../upgrade-config/gone.ts'
import { entryOf } from '../upgrade-config/history.ts'
import { Annotation, upgradeConfigName } from '../upgrade-config/names.ts'
import { decideRefresh, type RefreshDecision, replacement, type UpgradeSpec } from './refresh.ts'
import { type Wanted, wantedSpecs } from './wanted-specs.ts'

export interface Refreshing {
  readonly parts: UpgradeParts
  readonly context: ReconcileContext
  readonly config: OperatorConfig
}

/**
 * Asks the provider what is wanted, and brings the UpgradeConfig in line with it. Whatever goes wrong is an answer.
 *
 * It can be cut short anywhere: what was deleted and not created yet is created by the next one.
 */
export async function refresh(refreshing: Refreshing): Promise<Refresh> {
  const { parts, context, config } = refreshing
  const { client, signal } = context
  try {
    const source = configSource(config)
    if (source === undefined) return { is: 'not configured' }
    checkConfig(config, 'manager')
    const upgradeConfig = await client.find(UpgradeConfig, refIn(parts), { signal })
    const clusterVersion = await client.get(ClusterVersion, clusterVersionRef, { signal })
    const { clusterID: clusterId } = clusterVersion.spec
    const wanted = await wantedSpecs({ source, config, upgradeConfig, clusterId, outside: parts.outside, signal })
    if ('problem' in wanted) return { is: 'failed', problem: `unable to retrieve upgrade spec: ${wanted.problem}` }
    const commenced = upgradeConfig === undefined ? seen(false) : hasCommenced(upgradeConfig.spec.desired, seen(clusterVersion))
    const isCommenced = 'value' in commenced && commenced.value
    const decision = decideRefresh({ specs: wanted.value.specs, upgradeConfig, hasCommenced: isCommenced })
    const uid = await carryOut(decision, upgradeConfig, wanted.value, clusterVersion, refreshing)
    return decision.result === 'unchanged' ? { is: 'unchanged' } : { is: 'changed', uid }
  } catch (error) {
    signal.throwIfAborted()
    return { is: 'failed', problem: error instanceof Error ? error.message : String(error) }
  }
}

function refIn({ namespace }: UpgradeParts): { readonly namespace: string; readonly name: string } {
  return { namespace, name: upgradeConfigName }
}

/** Returns the uid of the UpgradeConfig that there is in the end. */
async function carryOut(
  decision: RefreshDecision,
  upgradeConfig: UpgradeConfig | undefined,
  wanted: Wanted,
  clusterVersion: ClusterVersion,
  refreshing: Refreshing,
): Promise<string | undefined> {
  const { context, parts } = refreshing
  switch (decision.do) {
    case 'nothing':
      return upgradeConfig?.metadata.uid
    case 'delete':
      if (upgradeConfig === undefined) return undefined
      if (decision.tearsDown) await takeBack(upgradeConfig, clusterVersion, refreshing)
      await context.act(remove(UpgradeConfig, upgradeConfig, 'its provider does not want it any more', { gracePeriodSeconds: 0 }))
      return undefined
    case 'update':
      if (upgradeConfig === undefined) return undefined
      await context.act(
        patch(UpgradeConfig, refIn(parts), { spec: asPatch(decision.spec) }, 'its provider wants it otherwise', { ifStill: upgradeConfig }),
      )
      return upgradeConfig.metadata.uid
    case 'replace':
      if (upgradeConfig === undefined) return createWanted(decision.spec, wanted, refreshing)
      if (decision.tearsDown) await takeBack(upgradeConfig, clusterVersion, refreshing)
      await removeAndWait(upgradeConfig, context)
      return createWanted(decision.spec, wanted, refreshing)
    case 'create':
      return createWanted(decision.spec, wanted, refreshing)
    default:
      return decision satisfies never
  }
}

/**
 * Ends silences and removes extra machines of an upgrade that had begun, before what remembers them goes. What cannot be taken back now is logged and left to the
 * sweep: an UpgradeConfig that stayed because of it would commence what nobody wants.
 */
async function takeBack(
  upgradeConfig: UpgradeConfig,
  clusterVersion: ClusterVersion,
  { parts, context, config }: Refreshing,
): Promise<void> {
  const entry = entryOf(upgradeConfig)
  if (entry === undefined) return
  const now = context.clock.now()
  const looking: Looking = {
    context,
    outside: parts.outside,
    upgradeConfig,
    entry,
    config,
    clusterVersion: seen(clusterVersion),
    now,
    refresh: () => Promise.resolve({ is: 'not configured' }),
  }
  const { machineSets, silences } = await lookAt(['machineSets', 'silences'], looking)
  const stored = new StoredUpgrade(upgradeConfig, context)
  const clusterId = () => Promise.resolve(clusterVersion.spec.clusterID)
  const perform = performer({ parts, context, stored, config, clusterId })
  const log = (message: string): void => context.log.warn({}, message)
  const left = [machineSets, silences].flatMap((found) => (found !== undefined && 'problem' in found ? [found.problem] : []))
  const problem = await performAll(tearDown(foundIn(machineSets), foundIn(silences)), perform, log)
  for (const why of problem === undefined ? left : [...left, problem])
    log(`some of what was done for the upgrade is taken back later: ${why}`)
}

function foundIn<T>(found: Seen<readonly T[]> | undefined): readonly T[] {
  return found !== undefined && 'value' in found ? found.value : []
}

async function removeAndWait(upgradeConfig: UpgradeConfig, { act, client, clock, signal, log }: ReconcileContext): Promise<void> {
  await act(remove(UpgradeConfig, upgradeConfig, 'its provider wants another one', { gracePeriodSeconds: 0 }))
  const deadline = clock.monotonic() + replacement.limit
  for (;;) {
    const left = await client.find(UpgradeConfig, refOf(upgradeConfig), { signal })
    if (left === undefined || left.metadata.uid !== upgradeConfig.metadata.uid) return
    if (clock.monotonic() >= deadline) {
      throw new Error(
        `UpgradeConfig ${upgradeConfig.metadata.namespace ?? ''}/${upgradeConfig.metadata.name ?? ''} was deleted and is still there after ${replacement.limit / 1000} seconds: do its finalizers hold it?`,
      )
    }
    log.debug({}, 'waiting for the old UpgradeConfig to be gone')
    await clock.sleep(replacement.poll, signal)
  }
}

async function createWanted(spec: UpgradeSpec, { policyId }: Wanted, { parts, context }: Refreshing): Promise<string | undefined> {
  const annotations = policyId === undefined ? {} : { annotations: { [Annotation.policyId]: policyId } }
  const draft = { metadata: { ...refIn(parts), ...annotations }, spec }
  try {
    const created = await context.act(create(UpgradeConfig, draft, 'its provider wants it', { mustBeNew: true }))
    return created?.metadata.uid
  } catch (error) {
    // Whoever was faster asked the same provider.
    if (!isAlreadyExists(error)) throw error
    return (await context.client.find(UpgradeConfig, refIn(parts), { signal: context.signal }))?.metadata.uid
  }
}

/** The spec as a merge patch: what it does not say is to go. */
function asPatch({ desired, capacityReservation, ...rest }: UpgradeSpec): JsonObject {
  const { version = null, channel = null, image = null } = desired
  return { ...rest, capacityReservation: capacityReservation ?? null, desired: { version, channel, image } }
}
