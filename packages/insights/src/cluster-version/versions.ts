import type { ClusterVersion, ClusterVersionProgressInsight } from '@windlass/api'
import type { StatusOf } from '@windlass/kube'
import { isVersion } from '../text.ts'

type Versions = StatusOf<ClusterVersionProgressInsight>['versions']
type End = Versions['target']

/**
 * From where to where. Undefined when there is no version that could be written: the version operator may not know it yet.
 *
 * With `knowsArchitectures`, a move to the release of the same version for all architectures is told as such.
 */
export function versionsOf(
  { status }: ClusterVersion,
  { knowsArchitectures }: { readonly knowsArchitectures: boolean },
): Versions | undefined {
  const [newest, previous] = status?.history ?? []
  const target = [newest?.version, status?.desired.version].find(isVersion)
  if (target === undefined) return undefined
  if (previous === undefined) return { target: { version: target, metadata: [{ key: 'Installation' }] } }
  const architecture = knowsArchitectures ? newArchitecture(status) : undefined
  return {
    target: { version: target, ...(architecture === undefined ? {} : { metadata: [{ key: 'Architecture', value: architecture }] }) },
    previous: {
      ...(isVersion(previous.version) ? { version: previous.version } : {}),
      ...(previous.state === 'Partial' ? { metadata: [{ key: 'Partial' }] } : {}),
    },
  }
}

/** The same version from another image: the cluster moves to the release that runs on all architectures. */
export function isArchitectureMigration(status: ClusterVersion['status']): boolean {
  const [newest, previous] = status?.history ?? []
  if (newest === undefined || previous === undefined) return false
  return newest.version !== undefined && newest.version !== '' && newest.version === previous.version && newest.image !== previous.image
}

function newArchitecture(status: ClusterVersion['status']): string | undefined {
  if (status === undefined || !isArchitectureMigration(status)) return undefined
  const { desired } = status
  // Newer version operators name it; the declared kind is of those before.
  const named = 'architecture' in desired ? desired.architecture : undefined
  return named === undefined || named === '' || named === 'Multi' ? 'multi' : undefined
}

/** What is special about a version, as a map: lists that hold the same in another order say the same. */
export function metadataOf(end: End | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(end?.metadata?.map(({ key, value }) => [key, value ?? 'true']) ?? [])
}
