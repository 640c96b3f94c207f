import type { ClusterVersionProgressInsight } from '@windlass/api'
import type { StatusOf } from '@windlass/kube'
import type { VersionsView } from './view.ts'

type Versions = StatusOf<ClusterVersionProgressInsight>['versions']
type End = Versions['target']

export function versionsOf({ target, previous }: Versions): VersionsView {
  return {
    ...(target.version === undefined ? {} : { target: target.version }),
    ...(previous?.version === undefined ? {} : { previous: previous.version }),
    isInstallation: has(target, 'Installation'),
    isPreviousPartial: has(previous, 'Partial'),
    isMultiArchitecture: isMulti(target) && !isMulti(previous),
  }
}

function has(end: End | undefined, key: string): boolean {
  return end?.metadata?.some((fact) => fact.key === key) === true
}

function isMulti(end: End | undefined): boolean {
  return end?.metadata?.some(({ key, value }) => key === 'Architecture' && value?.toLowerCase() === 'multi') === true
}

interface Update {
  readonly state: string
  readonly version?: string
}

/** From where to where the newest update of a history goes. */
export function versionsIn([newest, previous]: readonly Update[]): VersionsView {
  return {
    ...(newest?.version === undefined || newest.version === '' ? {} : { target: newest.version }),
    ...(previous?.version === undefined || previous.version === '' ? {} : { previous: previous.version }),
    isInstallation: previous === undefined,
    isPreviousPartial: previous?.state === 'Partial',
    isMultiArchitecture: false,
  }
}

/** `4.15.0 (from incomplete 4.14.1)`. */
export function versionWords({ target, previous = 'unknown', ...is }: VersionsView): string {
  if (target === undefined) return 'unknown'
  if (is.isInstallation) return `${target} (a new install)`
  if (is.isPreviousPartial) return `${target} (from incomplete ${previous})`
  if (is.isMultiArchitecture) return `${target} to Multi-Architecture`
  return `${target} (from ${previous})`
}
