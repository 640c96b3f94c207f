import type { ClusterVersion, UpgradeConfig } from '@windlass/api'
import { isTrue, parseTime } from '@windlass/core'
import { type Seen, seen, unseen } from '../observed/seen.ts'

export type Desired = UpgradeConfig['spec']['desired']
type History = NonNullable<NonNullable<ClusterVersion['status']>['history']>
export type VersionHistoryEntry = History[number]

/** How an UpgradeConfig names the release it wants. */
export type DesiredSource =
  | { readonly by: 'image'; readonly image: string }
  | { readonly by: 'version'; readonly channel: string; readonly version: string }

/** An image wins over the rest; without one, it takes channel and version both. Undefined when that is not there. */
export function desiredSource({ image = '', channel = '', version = '' }: Desired): DesiredSource | undefined {
  if (image !== '') return { by: 'image', image }
  return channel !== '' && version !== '' ? { by: 'version', channel, version } : undefined
}

/**
 * Whether the version operator has been told to go there. From then on nothing fails the upgrade any more.
 *
 * A running update counts too, though `desiredUpdate` may be empty: an administrator can clear it, and the update goes on all the same.
 */
export function hasCommenced(desired: Desired, clusterVersion: Seen<ClusterVersion>): Seen<boolean> {
  if ('problem' in clusterVersion) return clusterVersion
  const source = desiredSource(desired)
  if (source === undefined) return unseen('spec.desired names neither an image nor both a channel and a version')
  const { spec, status } = clusterVersion.value
  const isAsked = source.by === 'image' ? spec.desiredUpdate?.image === source.image : spec.desiredUpdate?.version === source.version
  const newest = status?.history?.[0]
  const isRunning = newest?.state === 'Partial' && (newest.version ?? '') !== '' && newest.version === desired.version
  return seen(isAsked || isRunning)
}

/** By how much the clocks of two operators may differ. */
const clockSkew = 60_000

/**
 * The run to this version that an upgrade which began at `since` is about: the newest one. If the cluster has gone elsewhere since that one, and it began before the
 * upgrade did, it is of an earlier upgrade, which was rolled back; the version operator has not begun with this one yet.
 */
export function newestRun(
  { status }: ClusterVersion,
  version: string | undefined,
  since: string | undefined,
): VersionHistoryEntry | undefined {
  if (version === undefined || version === '') return undefined
  const history = status?.history ?? []
  const run = history.find((entry) => entry.version === version)
  if (run === undefined || run === history[0]) return run
  const began = parseTime(since)
  return began === undefined || (parseTime(run.startedTime) ?? began) >= began - clockSkew ? run : undefined
}

export function hasCompleted(clusterVersion: ClusterVersion, version: string | undefined, since: string | undefined): boolean {
  return newestRun(clusterVersion, version, since)?.state === 'Completed'
}

/** The version that was completed last; undefined when none ever was. */
export function currentVersion(clusterVersion: ClusterVersion): string | undefined {
  return completedVersions(clusterVersion)[0]
}

/** The one that was completed before that. */
export function previousVersion(clusterVersion: ClusterVersion): string | undefined {
  return completedVersions(clusterVersion)[1]
}

/** Where an upgrade to `target` comes from: the newest version that was completed and is another one. */
export function precedingVersion({ status }: ClusterVersion, target: string): string | undefined {
  const completed = status?.history?.find(({ state, version = '' }) => state === 'Completed' && version !== '' && version !== target)
  return completed?.version ?? status?.desired.version
}

/** For labels of metrics. */
export function clusterIdLabel(clusterVersion: ClusterVersion | undefined): string {
  const id = clusterVersion?.spec.clusterID ?? ''
  return id === '' ? 'unknown' : id
}

/** For labels of metrics: it never fails anything that the version cannot be read. */
export function currentVersionLabel(clusterVersion: Seen<ClusterVersion>): string {
  return ('value' in clusterVersion ? currentVersion(clusterVersion.value) : undefined) ?? 'unknown'
}

/** Whether the version operator works towards a version other than this one. */
export function isProgressingElsewhere({ status }: ClusterVersion, version: string | undefined): boolean {
  return isTrue(status?.conditions, 'Progressing') && status?.desired.version !== version
}

export function isProgressing({ status }: ClusterVersion): boolean {
  return isTrue(status?.conditions, 'Progressing')
}

function completedVersions({ status }: ClusterVersion): readonly string[] {
  return (status?.history ?? [])
    .filter(({ state, version = '' }) => state === 'Completed' && version !== '')
    .map(({ version = '', completionTime }) => ({ version, at: parseTime(completionTime) ?? Number.NEGATIVE_INFINITY }))
    .sort((a, b) => b.at - a.at)
    .map(({ version }) => version)
}
