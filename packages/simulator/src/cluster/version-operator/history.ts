import type { ClusterVersion } from '@windlass/api'
import { formatTime, type Instant, parseTime } from '@windlass/core'
import type { Release } from '../updates/index.ts'
import { pruned } from './prune.ts'

export type Status = NonNullable<ClusterVersion['status']>
export type Entry = NonNullable<Status['history']>[number]
export type History = readonly Entry[]

/** How an update came to be accepted. */
export interface Acceptance {
  readonly verified: boolean
  /** Checks that were overridden, in words; empty when none was. */
  readonly risks: string
}

/**
 * Whether an entry is about this release: what one side does not know is taken from the other. The same version with another image is another
 * release: that is how a cluster moves to several architectures.
 */
export function isAbout(entry: Pick<Entry, 'version' | 'image'>, release: Pick<Release, 'version' | 'image'>): boolean {
  const version = entry.version ?? ''
  if (entry.image === release.image) return release.version === '' || version === '' || version === release.version
  return version !== '' && version === release.version && entry.image === ''
}

/**
 * The history once this release is applied: the same one when that is on record already, even as completed. Another one ends the newest
 * entry, which keeps its state: an update that was not complete never will be.
 */
export function recorded(history: History, release: Release, { verified, risks }: Acceptance, now: Instant): History {
  const [newest, ...older] = history
  if (newest !== undefined && isAbout(newest, release)) return identified(newest, older, history, release)
  if (release.image === '') return history
  const started = formatTime(Math.max(now, startOf(newest)))
  const entry: Entry = {
    state: 'Partial',
    startedTime: started,
    completionTime: null,
    version: release.version,
    image: release.image,
    verified,
    ...(risks === '' ? {} : { acceptedRisks: risks }),
  }
  if (newest === undefined) return [entry]
  const ended = newest.completionTime === null ? { ...newest, completionTime: started } : newest
  return pruned([entry, ended, ...older])
}

/** The newest update has got everywhere. What is completed already stays as it is. */
export function completed(history: History, now: Instant): History {
  const [newest, ...older] = history
  if (newest === undefined || newest.state === 'Completed') return history
  const completionTime = newest.completionTime ?? formatTime(Math.max(now, startOf(newest)))
  return [{ ...newest, state: 'Completed', completionTime }, ...older]
}

export function hasEverCompleted(history: History): boolean {
  return history.some(({ state }) => state === 'Completed')
}

function identified(newest: Entry, older: History, history: History, { version, image }: Release): History {
  const isKnown = (newest.version ?? '') !== '' && newest.image !== ''
  if (isKnown || (version === '' && newest.image !== '')) return history
  return [
    {
      ...newest,
      version: (newest.version ?? '') === '' ? version : (newest.version ?? ''),
      image: newest.image === '' ? image : newest.image,
    },
    ...older,
  ]
}

/** Clocks may be behind; a history never goes back. */
function startOf(entry: Entry | undefined): Instant {
  return parseTime(entry?.startedTime) ?? Number.NEGATIVE_INFINITY
}
