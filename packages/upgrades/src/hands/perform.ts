import { ClusterVersion, Pod } from '@windlass/api'
import { remove, StaleView } from '@windlass/kube'
import type { Effect, Perform } from '../effects/index.ts'
import { recordOwed } from '../notifications/index.ts'
import { notifyOnce, type Notifying } from './notify.ts'

/**
 * Carries out effects, one at a time. Each can be done twice.
 *
 * A process that finds itself overtaken while it does so is no failure of a step. It is told to `onOvertaken`, and whoever runs the pass gives it up.
 */
export function performer(notifying: Notifying, onOvertaken: (error: StaleView) => void = () => {}): Perform {
  return async (effect) => {
    try {
      await carryOut(effect, notifying)
    } catch (error) {
      if (error instanceof StaleView) onOvertaken(error)
      throw error
    }
  }
}

async function carryOut(effect: Effect, notifying: Notifying): Promise<void> {
  const { parts, context, stored } = notifying
  const { alertmanager } = parts.outside
  context.signal.throwIfAborted()
  if (parts.observes && isSaidOnly(effect)) return context.log.info({ effect: effect.do }, `would do: ${inWords(effect)}`)
  if (isForUpgrade(effect)) await stored.mustBeWanted()
  switch (effect.do) {
    case 'notify':
      return notifyOnce(effect, notifying)
    case 'owe':
      return stored.patch((current) => recordOwed(current, effect.state))
    case 'act':
      return stored.act(effect.action)
    case 'replace':
      await context.client.update(effect.kind, effect.object, { signal: context.signal })
      return
    case 'delete pod':
      await context.act(remove(Pod, effect.pod, effect.reason, { gracePeriodSeconds: 0 }))
      return
    case 'create silence':
      return alertmanager.create(effect.silence, context.signal)
    case 'end silence':
      return alertmanager.end(effect.silence.id, context.signal)
    case 'gauge':
      return parts.gauges.change(effect.change)
    default:
      return effect satisfies never
  }
}

/**
 * Whether something is done to the cluster because an upgrade is wanted, and must not be once it is not: silences, machines, the update itself. What is taken back
 * is taken back all the same, and notifications look for themselves.
 */
function isForUpgrade(effect: Effect): boolean {
  if (effect.do === 'create silence' || effect.do === 'replace') return true
  return (
    effect.do === 'act' &&
    (effect.action.do === 'create' || (effect.action.do === 'patch' && effect.action.kind.kind === ClusterVersion.kind))
  )
}

/** Actions on the API say themselves what they would do, and gauges concern nobody but us. */
function isSaidOnly({ do: what }: Effect): boolean {
  return what !== 'act' && what !== 'delete pod' && what !== 'gauge'
}

function inWords(effect: Effect): string {
  switch (effect.do) {
    case 'notify':
    case 'owe':
      return `${effect.do} ${effect.state}`
    case 'replace':
      return `replace ${effect.kind.kind} ${effect.object.metadata.name ?? ''}, because ${effect.reason}`
    case 'create silence':
      return `create the silence "${effect.silence.comment}"`
    case 'end silence':
      return `end the silence "${effect.silence.comment}"`
    case 'act':
    case 'delete pod':
    case 'gauge':
      return effect.do
    default:
      return effect satisfies never
  }
}
