import { ClusterVersion, UpgradeConfig } from '@windlass/api'
import {
  type AsyncControllerDefinition,
  done,
  every,
  type Plan,
  type ReconcileContext,
  type Ref,
  refOf,
  requeueAfter,
  type Source,
  wait,
} from '@windlass/kube'
import { checkConfig } from '../config/index.ts'
import { clusterVersionRef, loadConfig, StoredUpgrade } from '../hands/index.ts'
import type { UpgradeParts } from '../parts.ts'
import { isOurs, isReasonToLook } from './events.ts'
import { recordHeldUp } from './held-up.ts'
import { openEntry } from './history.ts'
import { upgradeConfigName } from './names.ts'
import { Orphans } from './orphans.ts'
import { UpgradePass } from './pass.ts'
import { resyncMinutes } from './schedule.ts'

/** Takes a cluster through its upgrade, one pass a minute while there is something to do. */
export function upgradeConfig(parts: UpgradeParts): AsyncControllerDefinition<UpgradeConfig> {
  const { namespace, minute } = parts
  const home = { namespace, name: upgradeConfigName }
  const orphans = new Orphans(parts)
  return {
    name: 'upgrade-config',
    for: UpgradeConfig,
    predicate: (change) => (change.type === 'updated' ? isReasonToLook(change.old, change.object) : isOurs(change.object)),
    sources: [
      // One that is gone is looked at as well: what it left behind may be ours to remove.
      atOnce(home),
      every(resyncMinutes * minute, (cache) => new Map([home, ...cache.list(UpgradeConfig).filter(isOurs).map(refOf)].map(keyed)).values()),
    ],
    // Policies about delays and windows are part of the passes, and must not starve while something fails.
    backOff: { longest: minute },
    // OCM and external dependencies are asked patiently.
    timeout: 20 * 60_000,
    reconcile: (ref, context) => reconcile(ref, parts, orphans, context),
  }
}

async function reconcile(ref: Ref, parts: UpgradeParts, orphans: Orphans, context: ReconcileContext): Promise<Plan> {
  const { client, clock, signal } = context
  const found = await client.find(UpgradeConfig, ref, { signal })
  if (found === undefined) return orphans.look(context)
  orphans.isThere(found)
  const clusterVersion = await client.get(ClusterVersion, clusterVersionRef, { signal })
  const now = clock.now()
  const stored = new StoredUpgrade(found, context)
  await stored.writeHistory(openEntry(found, clusterVersion, now), 'its upgrade is on record from now on')
  const config = checkConfig(await loadConfig(context, ref.namespace ?? '', parts.minute), 'upgrader')
  const pass = new UpgradePass({ parts, context, stored, config, clusterVersion, now })
  const { problem, requeueAfter: after, waitingFor } = await pass.run()
  await stored.patch((current) => recordHeldUp(current, problem))
  if (problem !== undefined) throw new Error(`UpgradeConfig ${ref.namespace ?? ''}/${ref.name}: ${problem}`)
  if (after !== undefined) return requeueAfter(after, waitingFor)
  return waitingFor === undefined ? done : wait(waitingFor)
}

function keyed(ref: Ref): readonly [string, Ref] {
  return [`${ref.namespace ?? ''}/${ref.name}`, ref]
}

function atOnce(ref: Ref): Source {
  return async function* () {
    yield await Promise.resolve(ref)
  }
}
