import type { ClusterVersion, UpgradeConfig } from '@windlass/api'
import { formatTime, type Instant, parseTime } from '@windlass/core'
import { hasCommenced, precedingVersion } from '../cluster/cluster-version.ts'
import { seen } from '../observed/seen.ts'

export type History = NonNullable<NonNullable<UpgradeConfig['status']>['history']>
/** One upgrade, as it is remembered. */
export type HistoryEntry = History[number]
export type Phase = HistoryEntry['phase']

/** Empty for an image whose version nobody has looked up yet. */
export function desiredVersion({ spec }: UpgradeConfig): string {
  return spec.desired.version ?? ''
}

export function historyOf({ status }: UpgradeConfig): History {
  return status?.history ?? []
}

/** The upgrade that the spec asks for now, if it has been begun with. */
export function entryOf(upgradeConfig: UpgradeConfig): HistoryEntry | undefined {
  return entryFor(historyOf(upgradeConfig), desiredVersion(upgradeConfig))
}

export function entryFor(history: History, version: string): HistoryEntry | undefined {
  return history.find((entry) => (entry.version ?? '') === version)
}

/** The entry takes the place of the one for its version, or goes to the front. The same list when nothing changed. */
export function withEntry(history: History, entry: HistoryEntry): History {
  const index = history.findIndex(({ version }) => (version ?? '') === (entry.version ?? ''))
  if (index < 0) return [entry, ...history]
  return history[index] === entry ? history : history.with(index, entry)
}

/**
 * The history with an entry for the version that is wanted.
 *
 * A cluster that is on its way there already starts at Upgrading: the UpgradeConfig was created anew while the version operator works. A `desired` that
 * names too little starts at New, where validation can tell people about it, and so does an image whose version nobody has looked up: without a name there is
 * nothing to go by.
 */
export function openEntry(upgradeConfig: UpgradeConfig, clusterVersion: ClusterVersion, now: Instant): History {
  const history = historyOf(upgradeConfig)
  const version = desiredVersion(upgradeConfig)
  if (entryFor(history, version) !== undefined) return history
  const commenced = hasCommenced(upgradeConfig.spec.desired, seen(clusterVersion))
  const isUnderWay = version !== '' && 'value' in commenced && commenced.value
  const from = precedingVersion(clusterVersion, version)
  const entry: HistoryEntry = {
    version,
    ...(from === undefined ? {} : { precedingVersion: from }),
    phase: isUnderWay ? 'Upgrading' : 'New',
    conditions: [],
    ...(isUnderWay ? { startTime: formatTime(now) } : {}),
  }
  return [entry, ...history]
}

/**
 * The version of an image was looked up: the entry that was made before anybody knew it gets its name. An entry that has that name already is the
 * better one, and the stale one goes.
 */
export function withRenamedEntry(history: History, from: string, to: string): History {
  if (from === to) return history
  const isKnown = entryFor(history, to) !== undefined
  return history.flatMap((entry) => {
    if ((entry.version ?? '') !== from) return [entry]
    return isKnown ? [] : [{ ...entry, version: to }]
  })
}

/** When the upgrade began. An entry that does not say counts as begun now; the runner writes that back. */
export function startOf(entry: HistoryEntry, now: Instant): Instant {
  return parseTime(entry.startTime) ?? now
}
