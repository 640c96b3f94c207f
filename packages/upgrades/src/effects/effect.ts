import type { KubernetesObject, Pod, Resource } from '@windlass/api'
import type { Action } from '@windlass/kube'
import type { NotificationState } from '../notifications/states.ts'
import type { GaugeChange } from '../metrics/series.ts'
import type { NewSilence, Silence } from '../windows/silence.ts'

/** What becomes of the rest when this one fails. */
export type OnFailure =
  /** Nothing after it is done, and the step fails with its message. */
  | 'stop'
  /** The others are done all the same, and the step fails at the end, with all messages. */
  | 'report'
  /** It is logged, and that is all. */
  | 'go on'

/**
 * Something to be done outside of the status: a value, so that what a step does can be printed and tested. They are carried out in order.
 *
 * Everything here can be done twice: a pass that was cut short is run again from its first step.
 */
export type Effect = (
  | { readonly do: 'notify'; readonly state: NotificationState; readonly result?: string; readonly cause?: NotifyCause }
  /** Remembers that a notification is due, before that which it tells of is done. */
  | { readonly do: 'owe'; readonly state: NotificationState }
  | { readonly do: 'act'; readonly action: Action }
  /** Writes the whole object: for kinds on which we may update and not patch. */
  | { readonly do: 'replace'; readonly kind: Resource; readonly object: KubernetesObject; readonly reason: string }
  /** Deletes without grace, whatever a disruption budget says. */
  | { readonly do: 'delete pod'; readonly pod: Pod; readonly reason: string }
  | { readonly do: 'create silence'; readonly silence: NewSilence }
  /** A silence that is gone already is no failure. */
  | { readonly do: 'end silence'; readonly silence: Silence }
  | { readonly do: 'gauge'; readonly change: GaugeChange }
) & { readonly onFailure: OnFailure }

/** What made us say that an upgrade is delayed, where the text depends on it. */
export type NotifyCause = 'node drain'

export function notify(
  state: NotificationState,
  options: { readonly result?: string; readonly cause?: NotifyCause; readonly onFailure?: OnFailure } = {},
): Effect {
  return { do: 'notify', state, ...options, onFailure: options.onFailure ?? 'stop' }
}

export function owe(state: NotificationState): Effect {
  return { do: 'owe', state, onFailure: 'stop' }
}

export function act(action: Action, onFailure: OnFailure = 'stop'): Effect {
  return { do: 'act', action, onFailure }
}

export function replace(kind: Resource, object: KubernetesObject, reason: string): Effect {
  return { do: 'replace', kind, object, reason, onFailure: 'stop' }
}

export function deletePod(pod: Pod, reason: string): Effect {
  return { do: 'delete pod', pod, reason, onFailure: 'report' }
}

export function createSilence(silence: NewSilence): Effect {
  return { do: 'create silence', silence, onFailure: 'stop' }
}

export function endSilence(silence: Silence, onFailure: OnFailure = 'report'): Effect {
  return { do: 'end silence', silence, onFailure }
}

export function gauge(change: GaugeChange): Effect {
  return { do: 'gauge', change, onFailure: 'go on' }
}

/** The same effects, whose failure stops nothing. */
export function atBestEffort(effects: readonly Effect[]): readonly Effect[] {
  return effects.map((effect) => ({ ...effect, onFailure: 'go on' }))
}
