import type { UpgradeConfig } from '@windlass/api'
import { UpgradeConfig as Kind } from '@windlass/api'
import { patch, type PatchAction, refOf } from '@windlass/kube'
import { desiredVersion } from '../upgrade-config/history.ts'
import { Annotation } from '../upgrade-config/names.ts'
import type { NotificationState } from './states.ts'

/**
 * The durable record of notifications: an annotation with one `<version>/<state>` for each, so that a restart repeats none and nobody has to be asked.
 * Those that are owed are recorded the same way in another one.
 */
type Record = (typeof Annotation)['sentNotifications' | 'owedNotifications']

function recorded({ metadata }: UpgradeConfig, record: Record): readonly string[] {
  const text = metadata.annotations?.[record] ?? ''
  return text === '' ? [] : text.split(',')
}

export function hasRecord({ metadata }: UpgradeConfig): boolean {
  return metadata.annotations?.[Annotation.sentNotifications] !== undefined
}

export function wasSent(upgradeConfig: UpgradeConfig, state: NotificationState): boolean {
  return recorded(upgradeConfig, Annotation.sentNotifications).includes(markOf(upgradeConfig, state))
}

/** Due, and not sent yet. */
export function isOwed(upgradeConfig: UpgradeConfig, state: NotificationState): boolean {
  return !wasSent(upgradeConfig, state) && recorded(upgradeConfig, Annotation.owedNotifications).includes(markOf(upgradeConfig, state))
}

/** Every state of the desired version that has been sent. */
export function sentStates(upgradeConfig: UpgradeConfig): readonly string[] {
  const prefix = `${desiredVersion(upgradeConfig)}/`
  return recorded(upgradeConfig, Annotation.sentNotifications)
    .filter((mark) => mark.startsWith(prefix))
    .map((mark) => mark.slice(prefix.length))
}

/** Records that a notification has been sent, and hence is due no more; undefined when that is on record. */
export function recordSent(upgradeConfig: UpgradeConfig, state: NotificationState): PatchAction | undefined {
  const owed = recorded(upgradeConfig, Annotation.owedNotifications)
  const left = owed.filter((mark) => mark !== markOf(upgradeConfig, state))
  const settled = left.length === owed.length ? {} : { [Annotation.owedNotifications]: left.length === 0 ? null : left.join(',') }
  return recordIn(upgradeConfig, Annotation.sentNotifications, state, `${state} has been sent`, settled)
}

/** Records that a notification is due; undefined when that is on record, or when it has been sent. */
export function recordOwed(upgradeConfig: UpgradeConfig, state: NotificationState): PatchAction | undefined {
  if (wasSent(upgradeConfig, state)) return undefined
  return recordIn(upgradeConfig, Annotation.owedNotifications, state, `${state} is due`)
}

function recordIn(
  upgradeConfig: UpgradeConfig,
  record: Record,
  state: NotificationState,
  reason: string,
  others: Readonly<{ [name: string]: string | null }> = {},
): PatchAction | undefined {
  const marks = recorded(upgradeConfig, record)
  const mark = markOf(upgradeConfig, state)
  if (marks.includes(mark)) return undefined
  const annotations = { [record]: [...marks, mark].join(','), ...others }
  // Only if nobody else has written meanwhile: two writers would each drop what the other has recorded.
  return patch(Kind, refOf(upgradeConfig), { metadata: { annotations } }, reason, { ifStill: upgradeConfig })
}

function markOf(upgradeConfig: UpgradeConfig, state: NotificationState): string {
  return `${desiredVersion(upgradeConfig)}/${state}`
}
