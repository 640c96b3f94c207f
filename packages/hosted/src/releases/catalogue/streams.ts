import { formatNormalisedMinor, normalisedMinor, parseVersion } from '@windlass/core'

/** Releases of one minor, made up by rule. */
export interface Stream {
  /** `4.20` */
  readonly minor: string
  /** How many releases: 3 are 4.20.0, 4.20.1 and 4.20.2. */
  readonly patches: number
  /** How many release candidates came before: 2 are 4.20.0-rc.0 and 4.20.0-rc.1. */
  readonly candidates: number
  /** The newest patch of the minor before when this one began; undefined when nothing leads here from there. */
  readonly beganAtPatch: number | undefined
}

/** A made-up release: from where one may come to it, and which channels have it. */
export interface StreamRelease {
  readonly version: string
  readonly previous: readonly string[]
  readonly channels: readonly string[]
}

/**
 * The releases of all streams.
 *
 * Inside of a minor every release leads to every later one. Minors come out in step, a patch each at a time: of the minor before, those lead to
 * a release that were out before it. A channel has the releases of its minor, and those of the minor before that lead into it.
 */
export function releasesOf(streams: readonly Stream[]): readonly StreamRelease[] {
  const byMinor = new Map(streams.map((stream) => [minorOf(stream), stream]))
  return streams.flatMap((stream) => {
    const minor = minorOf(stream)
    const before = byMinor.get(minor - 1)
    const next = byMinor.get(minor + 1)
    return versionsOf(stream).map((version, index, versions) => {
      const patch = index - stream.candidates
      const leadsOn = patch >= 0 && next?.beganAtPatch !== undefined && patch <= next.beganAtPatch + next.patches - 1
      return {
        version,
        previous: [...earlier(before, stream.beganAtPatch, patch), ...versions.slice(0, index)],
        channels: [...channels(minor, patch), ...(leadsOn ? channels(minor + 1, patch) : [])],
      }
    })
  })
}

function versionsOf({ minor, patches, candidates }: Stream): readonly string[] {
  const early = Array.from({ length: candidates }, (_, index) => `${minor}.0-rc.${index}`)
  return [...early, ...Array.from({ length: patches }, (_, index) => `${minor}.${index}`)]
}

/** Candidates lead here from what was newest when the minor began. */
function earlier(before: Stream | undefined, beganAtPatch: number | undefined, patch: number): readonly string[] {
  if (before === undefined || beganAtPatch === undefined) return []
  const newest = Math.min(before.patches - 1, beganAtPatch + Math.max(0, patch))
  return Array.from({ length: newest + 1 }, (_, index) => `${before.minor}.${index}`)
}

/** Candidates are for the curious; every second minor is supported for longer. */
function channels(minor: number, patch: number): readonly string[] {
  const name = formatNormalisedMinor(minor)
  const groups = patch < 0 ? ['candidate'] : ['candidate', 'fast', 'stable', ...(minor % 2 === 0 ? ['eus'] : [])]
  return groups.map((group) => `${group}-${name}`)
}

function minorOf({ minor }: Stream): number {
  return normalisedMinor(parseVersion(`${minor}.0`))
}
