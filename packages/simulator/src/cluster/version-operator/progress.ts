import type { ClusterVersion } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import { canonicalJson, lettersOf } from '../../identity/index.ts'
import type { Payload } from '../payload/index.ts'
import type { Release } from '../updates/index.ts'

/**
 * On the ClusterVersion: where the version operator is. A real one has this in memory and begins anew after a restart; ours goes on. Operators read
 * there whether it is their turn, as real ones are told by the manifests that are applied for them.
 */
export const progressAnnotation = 'simulator.windlass.dev/progress'

/** How far a piece of work is: a release to be applied, or the same one again with other overrides. */
export interface Progress {
  /** Which work: the `versionHash` of the status. */
  readonly work: string
  /** The step of the payload that is under way. The last one when all go on at once. */
  readonly step: number
  readonly since: Instant
}

/** A question to the update service. */
export interface Look {
  readonly for: string
  readonly since: Instant
}

export interface ProgressRecord {
  readonly progress?: Progress
  readonly look?: Look
}

export function recordOf({ metadata }: ClusterVersion): ProgressRecord {
  const text = metadata.annotations?.[progressAnnotation]
  const read = text === undefined ? undefined : tryParse(text)
  if (read === undefined) return {}
  const { work, step, since, look } = read
  const [began, asked] = [timeIn(since), timeIn(look?.since)]
  return {
    ...(typeof work === 'string' && typeof step === 'number' && began !== undefined ? { progress: { work, step, since: began } } : {}),
    ...(typeof look?.for === 'string' && asked !== undefined ? { look: { for: look.for, since: asked } } : {}),
  }
}

/** The same as text. Times have milliseconds here: at high speed much happens within a second. */
export function recordText({ progress, look }: ProgressRecord): string {
  return JSON.stringify({
    ...(progress === undefined ? {} : { ...progress, since: new Date(progress.since).toISOString() }),
    ...(look === undefined ? {} : { look: { ...look, since: new Date(look.since).toISOString() } }),
  })
}

/** What is to be done, as the status names it: another release, other overrides or other capabilities are other work. */
export function workOf(
  { version, image }: Pick<Release, 'version' | 'image'>,
  { overrides, capabilities }: ClusterVersion['spec'],
): string {
  return `${lettersOf(canonicalJson([version, image, overrides, capabilities]), 11)}=`
}

/** What an operator has been told to become. */
export interface Order {
  readonly release: Release
  /** Since when. */
  readonly since: Instant
}

/** What the version operator has told an operator of the payload; undefined before it has got there, and for operators that it does not know. */
export function orderFor(name: string, clusterVersion: ClusterVersion | undefined, payload: Payload): Order | undefined {
  const known = payload.operators.get(name)
  const { status } = clusterVersion ?? {}
  if (clusterVersion === undefined || status === undefined || known === undefined) return undefined
  const { progress } = recordOf(clusterVersion)
  if (progress === undefined || progress.work !== status.versionHash || progress.step < known.step) return undefined
  return { release: status.desired, since: progress.since }
}

interface Written {
  readonly work?: unknown
  readonly step?: unknown
  readonly since?: unknown
  readonly look?: { readonly for?: unknown; readonly since?: unknown }
}

/** Anybody can write an annotation: what cannot be read counts as nothing, and the work is begun anew. */
function tryParse(text: string): Written | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function timeIn(value: unknown): Instant | undefined {
  return typeof value === 'string' ? parseTime(value) : undefined
}
