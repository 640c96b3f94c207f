import type { UpgradeConfig } from '@windlass/api'
import { UpgradeConfig as Kind } from '@windlass/api'
import { patch, type PatchAction, refOf } from '@windlass/kube'
import { desiredVersion, entryOf } from '../upgrade-config/history.ts'
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

/**
 * Records that a notification has been sent, and hence is due no more; undefined when that is on record. It was about the version that was desired then:
 * the spec may have been edited since.
 */
export function recordSent(
  upgradeConfig: UpgradeConfig,
  state: NotificationState,
  version = desiredVersion(upgradeConfig),
): PatchAction | undefined {
  const mark = `${version}/${state}`
  const owed = recorded(upgradeConfig, Annotation.owedNotifications)
  const left = owed.filter((other) => other !== mark)
  const settled = left.length === owed.length ? {} : { [Annotation.owedNotifications]: left.length === 0 ? null : left.join(',') }
  return recordIn(upgradeConfig, Annotation.sentNotifications, mark, `${state} has been sent`, settled)
}

/** Records that somebody else has sent it, before we took over: they may have sent others. */
export function recordTakenOver(upgradeConfig: UpgradeConfig, state: NotificationState): PatchAction | undefined {
  const takenOver = { [Annotation.takenOver]: desiredVersion(upgradeConfig) }
  return recordIn(upgradeConfig, Annotation.sentNotifications, markOf(upgradeConfig, state), `${state} was sent before`, takenOver)
}

/** Whether somebody else may have sent some of what is not on record: they did the upgrade, or part of it. */
export function isTakenOver(upgradeConfig: UpgradeConfig): boolean {
  if (entryOf(upgradeConfig)?.phase !== 'Upgrading') return false
  const { annotations = {} } = upgradeConfig.metadata
  return annotations[Annotation.sentNotifications] === undefined || annotations[Annotation.takenOver] === desiredVersion(upgradeConfig)
}

/** Records that a notification is due; undefined when that is on record, or when it has been sent. */
export function recordOwed(upgradeConfig: UpgradeConfig, state: NotificationState): PatchAction | undefined {
  if (wasSent(upgradeConfig, state)) return undefined
  return recordIn(upgradeConfig, Annotation.owedNotifications, markOf(upgradeConfig, state), `${state} is due`)
}

function recordIn(
  upgradeConfig: UpgradeConfig,
  record: Record,
  mark: string,
  reason: string,
  others: Readonly<{ [name: string]: string | null }> = {},
): PatchAction | undefined {
  const marks = recorded(upgradeConfig, record)
  if (marks.includes(mark)) return undefined
  const annotations = { [record]: [...marks, mark].join(','), ...others }
  // Only if nobody else has written meanwhile: two writers would each drop what the other has recorded.
  return patch(Kind, refOf(upgradeConfig), { metadata: { annotations } }, reason, { ifStill: upgradeConfig })
}

function markOf(upgradeConfig: UpgradeConfig, state: NotificationState): string {
  return `${desiredVersion(upgradeConfig)}/${state}`
}
