import { compareVersions, highestVersion, lowestVersion } from '../version/order.ts'
import { formatNormalisedMinor, hasCountedMinor, minorDistance, normalisedMinor, type Version } from '../version/version.ts'
import { allowedSkew, defaultSkewPolicy, type SkewPolicy } from './policy.ts'
import { skewRange } from './range.ts'
import { explainSkew, judgeSkew } from './verdict.ts'

/** Nodes that are moved together. */
export interface NodeGroup {
  readonly name: string
  /** Every version that a node of the group may have: where it is, and where it is going. */
  readonly versions: readonly Version[]
}

/** A question to the planner: how a control plane gets to a version without leaving nodes behind. */
export interface MoveRequest {
  /** The versions that may run in the control plane, newest update first. */
  readonly active: readonly Version[]
  readonly target: Version
  readonly groups: readonly NodeGroup[]
  readonly policy?: SkewPolicy
  /** Releases that can be stopped at on the way; the highest of each minor is taken. */
  readonly releases?: readonly Version[]
  /** How many groups may move at once; all unless told. */
  readonly concurrency?: number
  /** `needed` moves what would be left behind; `all` also brings everything to the target in the end. `needed` unless told. */
  readonly groupsFollow?: 'needed' | 'all'
}

export type Move =
  | { readonly of: 'control-plane'; readonly to: Version; readonly because: string }
  /** Groups that may move at the same time, by name. */
  | { readonly of: 'nodes'; readonly groups: readonly string[]; readonly to: Version; readonly because: string }

export interface MovePlan {
  /** Groups that would be unsupported when the target is reached, if nothing but the control plane moved. */
  readonly leftBehind: readonly NodeGroup[]
  /** In order: each waits for the one before it. */
  readonly moves: readonly Move[]
  /** Why the target is not reached, or what stays unsupported. Empty when all is well. */
  readonly problems: readonly string[]
}

/** Groups with nodes that would be too old for a control plane at the target. */
export function leftBehind(groups: readonly NodeGroup[], target: Version, policy: SkewPolicy = defaultSkewPolicy): readonly NodeGroup[] {
  if (!hasCountedMinor(target)) return []
  const lowestMinor = normalisedMinor(target) - allowedSkew(policy, target)
  return groups.filter(({ versions }) => versions.some((version) => hasCountedMinor(version) && normalisedMinor(version) < lowestMinor))
}

/**
 * The order of moves that takes a control plane to the target and breaks no rule: it moves one minor at a time and finishes one update before the
 * next, and nodes that a move would leave behind go first, to a version that is safe at that moment.
 *
 * Where that cannot be done, the plan ends before the move that would break a rule, and a problem says why.
 */
export function planMoves(request: MoveRequest): MovePlan {
  const { active, target, policy = defaultSkewPolicy } = request
  const journey = new Journey(request, policy)
  if (skewRange(active, policy) === undefined) journey.stop('the versions of the control plane are not known')
  else if (!hasCountedMinor(target)) journey.stop(`${target.text} cannot be planned for: minors are counted in 4.x and 5.x only`)
  else journey.go()
  return { leftBehind: leftBehind(request.groups, target, policy), moves: journey.moves, problems: journey.problems }
}

class Journey {
  readonly moves: Move[] = []
  readonly problems: string[] = []
  readonly #request: MoveRequest
  readonly #policy: SkewPolicy
  readonly #groups: Map<string, readonly Version[]>
  #active: readonly Version[]

  constructor(request: MoveRequest, policy: SkewPolicy) {
    this.#request = request
    this.#policy = policy
    this.#active = request.active
    const sorted = request.groups.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    this.#groups = new Map(sorted.map(({ name, versions }) => [name, versions]))
  }

  stop(problem: string): void {
    this.problems.push(problem)
  }

  go(): void {
    const { target, groupsFollow = 'needed' } = this.#request
    const [newest] = this.#active
    if (newest !== undefined && this.#active.length > 1 && !this.#hop(newest, `the update to ${newest.text} is not complete`)) return
    const stops = this.#stops()
    if (stops === undefined) return
    for (const version of stops) if (!this.#hop(version, this.#reasonFor(version))) return
    if (groupsFollow === 'all') this.#moveNodes(this.#namesWhere(isOtherThan(target)), target, `the control plane is at ${target.text}`)
    this.#tellUnsupported()
  }

  /** The versions to stop at, the target last. Undefined when there is no way. */
  #stops(): readonly Version[] | undefined {
    const { target, releases = [] } = this.#request
    const [from] = this.#active
    if (from === undefined || compareVersions(from, target) === 0) return []
    const distance = minorDistance(from, target)
    if (distance < 0) {
      this.stop(`a control plane does not go back to an earlier minor: it is at ${from.text}, and ${target.text} is wanted`)
      return undefined
    }
    const stops: Version[] = []
    for (let minor = normalisedMinor(from) + 1; minor < normalisedMinor(target); minor++) {
      const stop = highestVersion(releases.filter((release) => hasCountedMinor(release) && normalisedMinor(release) === minor))
      if (stop === undefined) {
        const name = formatNormalisedMinor(minor)
        this.stop(
          `a control plane moves one minor at a time, and no release of ${name} is known to stop at between ${from.text} and ${target.text}`,
        )
        return undefined
      }
      stops.push(stop)
    }
    return [...stops, target]
  }

  #reasonFor(version: Version): string {
    return compareVersions(version, this.#request.target) === 0 ? 'it is wanted' : `it is on the way to ${this.#request.target.text}`
  }

  /** Moves the control plane, and before that the nodes that it would leave behind. */
  #hop(to: Version, because: string): boolean {
    const after = skewRange([to], this.#policy)
    const before = skewRange(this.#active, this.#policy)
    if (after === undefined || before === undefined) return false
    const stays = (version: Version): boolean => judgeSkew(version, after).answer === 'Supported'
    const leaving = this.#namesWhere((version) => !stays(version))
    // What runs everywhere now; or the version itself, when the control plane goes back to an earlier patch.
    const places = [lowestVersion(this.#active), to].filter((place): place is Version => place !== undefined)
    const canMoveTo = places.find((place) => stays(place) && judgeSkew(place, before, 'safe').answer === 'Supported')
    const moved = leaving.filter((name) => canMoveTo !== undefined && this.#isForward(name, canMoveTo))
    for (const name of leaving) {
      if (moved.includes(name)) continue
      const lost = this.#versionsOf(name).find((version) => !stays(version) && judgeSkew(version, before).answer === 'Supported')
      if (lost === undefined) continue
      this.stop(`${name} cannot move before the control plane is at ${to.text}, and then ${explainSkew(judgeSkew(lost, after))}`)
      return false
    }
    if (canMoveTo !== undefined) this.#moveNodes(moved, canMoveTo, `a control plane at ${to.text} would not support them`)
    this.moves.push({ of: 'control-plane', to, because })
    this.#active = [to]
    return true
  }

  #moveNodes(names: readonly string[], to: Version, because: string): void {
    const forward = names.filter((name) => this.#isForward(name, to))
    const { concurrency = Number.POSITIVE_INFINITY } = this.#request
    const size = Math.max(1, Math.min(concurrency, forward.length))
    for (let start = 0; start < forward.length; start += size) {
      this.moves.push({ of: 'nodes', groups: forward.slice(start, start + size), to, because })
    }
    for (const name of forward) this.#groups.set(name, [to])
  }

  /** Nodes go back to an earlier patch at most. */
  #isForward(name: string, to: Version): boolean {
    return this.#versionsOf(name).every((version) => hasCountedMinor(version) && minorDistance(version, to) >= 0)
  }

  #namesWhere(isMet: (version: Version) => boolean): readonly string[] {
    return [...this.#groups].filter(([, versions]) => versions.some(isMet)).map(([name]) => name)
  }

  #versionsOf(name: string): readonly Version[] {
    return this.#groups.get(name) ?? []
  }

  #tellUnsupported(): void {
    const range = skewRange(this.#active, this.#policy)
    for (const [name, versions] of this.#groups) {
      const verdict = versions.map((version) => judgeSkew(version, range)).find(({ answer }) => answer !== 'Supported')
      if (verdict !== undefined) this.stop(`${name} stays unsupported: ${explainSkew(verdict)}`)
    }
  }
}

function isOtherThan(target: Version): (version: Version) => boolean {
  return (version) => compareVersions(version, target) !== 0
}
