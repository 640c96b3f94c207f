import { type Instant, shortDuration } from '@windlass/core'
import type { CauseLink } from '../contract/index.ts'
import type { Activity } from './activity.ts'
import { ageOf } from './ages.ts'
import { type Cause, rootOf } from './cause.ts'

/** One sentence for the whole, from the most likely cause. */
export function verdictOn({ subject, name, link, isStalled, stalledPools }: Activity, causes: readonly Cause[], now: Instant): string {
  const [first] = causes
  if (first === undefined) {
    if (subject === undefined) return `${name} waits for nothing: ${link.says}.`
    const since = link.since === undefined ? '' : ` for ${shortDuration(ageOf(link.since, now))}`
    return `${subject} has been under way${since}${isStalled ? ', longer than it may take' : ''}, and nothing is known that stands in its way.`
  }
  const root = rootOf(first)
  if (first.weight === 'Notice') return `${name} waits for nothing. Worth knowing: ${nameOf(root)}: ${root.says}.`
  const who = subjectOf(first, subject ?? name)
  const what = awaited(first)
  if (first.weight === 'Working') {
    const isLate = (isStalled && who === subject) || isOfPool(first, stalledPools)
    const how = isLate ? 'takes longer than it may' : 'goes on as usual'
    return `${who} ${how}. It waits for ${nameOf(what)}: ${root.says}.`
  }
  if (isAboutItself(first, link)) return `${who} does not go on: ${root.says}.`
  const age = waitOf(first, who === subject ? link : undefined, now)
  const waits = age >= 1000 ? `has waited for ${shortDuration(age)} for` : 'waits for'
  return `${who} ${waits} ${nameOf(what)}: ${root.says}.`
}

/** How long the root has been waited for: as long as it has been so, and no longer than somebody has needed it. A budget may be years old. */
function waitOf({ links }: Cause, whole: CauseLink | undefined, now: Instant): number {
  const known = links.findLast(({ since }) => since !== undefined)
  const times = [known?.since, links[0].since, whole?.since].filter((time) => time !== undefined)
  return times.length === 0 ? 0 : Math.min(...times.map((time) => ageOf(time, now)))
}

/** A pool that waits is not the whole cluster. */
function subjectOf({ links: [first] }: Cause, otherwise: string): string {
  if (first.object.kind === 'UpgradeConfig') return 'The managed upgrade'
  return first.object.kind === 'NodePool' ? nameOf(first) : otherwise
}

function isOfPool({ links }: Cause, names: ReadonlySet<string>): boolean {
  return links.some(({ object: { kind, name } }) => (kind === 'NodePool' || kind === 'MachineConfigPool') && names.has(name))
}

/** People know components better than their Pods, and pools better than their machines; the root speaks all the same. */
function awaited(cause: Cause): CauseLink {
  return cause.links.findLast(({ object }) => object.kind === 'ControlPlaneComponent') ?? rootOf(cause)
}

function isAboutItself({ links }: Cause, { object }: CauseLink): boolean {
  const [first, ...others] = links
  const isSelf = first.object.kind === object.kind || first.object.kind === 'NodePool' || first.object.kind === 'UpgradeConfig'
  return others.length === 0 && isSelf
}

function nameOf({ object: { kind, namespace, name, side } }: CauseLink): string {
  if (kind === 'ControlPlaneComponent') return name
  if (kind === 'NodePool') return `Node pool ${name}`
  return side === 'guest' && namespace !== undefined ? `${kind} ${namespace}/${name}` : `${kind} ${name}`
}
