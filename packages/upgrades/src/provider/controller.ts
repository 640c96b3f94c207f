import { UpgradeConfig } from '@windlass/api'
import type { Random } from '@windlass/core'
import { type AsyncControllerDefinition, type Plan, type ReconcileContext, requeueAfter, type Source } from '@windlass/kube'
import { checkConfig, configSource, managerConfig, type ManagerConfig } from '../config/index.ts'
import { loadConfig } from '../hands/index.ts'
import { setGauge } from '../metrics/index.ts'
import type { UpgradeParts } from '../parts.ts'
import { upgradeConfigName } from '../upgrade-config/names.ts'
import { refresh } from './refresher.ts'
import { afterCycle, type CycleOutcome, freshSync, jitter } from './sync-loop.ts'

/**
 * The sync loop: asks the provider of UpgradeConfigs again and again, while this process leads. It is a controller without objects: one key, which it looks at
 * when its time has come.
 */
export function upgradeConfigManager(parts: UpgradeParts, random: Random): AsyncControllerDefinition<UpgradeConfig> {
  const { namespace, minute } = parts
  const ref = { namespace, name: upgradeConfigName }
  let state = freshSync
  return {
    name: 'upgrade-config-manager',
    for: UpgradeConfig,
    // Changes of UpgradeConfigs are no reason to ask anybody.
    predicate: () => false,
    sources: [onceAfter(() => jitter(minute, random), ref)],
    // OCM is asked patiently: five times, with pauses of up to half a minute, for each of several questions.
    timeout: 20 * 60_000,
    async reconcile(_, context): Promise<Plan> {
      const { outcome, manager, why } = await cycle(parts, context)
      const next = afterCycle(state, outcome, manager, minute, context.random)
      state = next.state
      return requeueAfter(next.wait, why)
    },
  }
}

interface Cycle {
  readonly outcome: CycleOutcome
  readonly manager: ManagerConfig
  readonly why: string
}

/** One time round. Whatever goes wrong is told and tried again later; the loop does not end. */
async function cycle(parts: UpgradeParts, context: ReconcileContext): Promise<Cycle> {
  const failed = (why: string): Cycle => {
    context.log.warn({}, `the provider of upgrades could not be asked, and is asked again later: ${why}`)
    return { outcome: 'failed', manager: { is: 'idle', why }, why: `the provider of upgrades: ${why}` }
  }
  try {
    const config = checkConfig(await loadConfig(context, parts.namespace, parts.minute), 'manager')
    configSource(config)
    const manager = managerConfig(config)
    if (manager.is === 'idle') return { outcome: 'idle', manager, why: manager.why }
    const answer = await refresh({ parts, context, config })
    if (answer.is === 'failed') return failed(answer.problem)
    const now = context.clock.now() / 1000
    parts.gauges.change(setGauge('upgradeoperator_upgradeconfig_sync_timestamp', { upgradeconfig_name: upgradeConfigName }, now))
    return { outcome: 'refreshed', manager, why: `the next time to ask ${manager.source}` }
  } catch (error) {
    context.signal.throwIfAborted()
    return failed(error instanceof Error ? error.message : String(error))
  }
}

/** Looks at one object, once, after some time. */
function onceAfter(wait: () => number, ref: { readonly namespace: string; readonly name: string }): Source {
  return async function* ({ clock, signal }) {
    await clock.sleep(wait(), signal)
    yield ref
  }
}
