import { type Duration, formatTime, type Instant, stalledAfter } from '@windlass/core'
import type { CauseChain, CauseLink, WhyView } from '../contract/index.ts'
import { activityOf } from './activity.ts'
import { byLikelihood, type Cause, keyOf, rootOf } from './cause.ts'
import { classicCauses } from './classic/index.ts'
import { commandLine, describe, type GuestKey } from './commands.ts'
import type { Evidence } from './evidence.ts'
import { hostedCauses, unknownConditions } from './hosted/index.ts'
import { verdictOn } from './verdict.ts'

/** So many chains are told. Whoever has more has one problem, and this is not it. */
const most = 20

/** Why a cluster waits, from evidence: chains from the cluster down to roots, the most likely root first. Pure. `threshold`: when an update has stalled. */
export function decideCauses(evidence: Evidence, now: Instant, threshold: Duration = stalledAfter): WhyView {
  const causes = ranked(evidence.kind === 'Hosted' ? hostedCauses(evidence, now) : classicCauses(evidence, now))
  const activity = activityOf(evidence, now, threshold)
  const unknown = evidence.kind === 'Hosted' ? [...evidence.unknown, ...unknownConditions(evidence)] : evidence.unknown
  const key = guestKey(evidence)
  return {
    time: formatTime(now),
    id: evidence.id,
    verdict: verdictOn(activity, causes, now),
    chains: causes.slice(0, most).map((cause) => chainOf(cause, activity.link, key)),
    unknown: causes.length > most ? [...unknown, `There are ${causes.length - most} more causes like these.`] : unknown,
  }
}

/** One chain for each root: of several ways there the one that explains most, and of those the one that tells most. */
function ranked(causes: readonly Cause[]): readonly Cause[] {
  const byRoot = new Map<string, Cause>()
  for (const cause of causes.toSorted((a, b) => byLikelihood(a, b) || b.links.length - a.links.length)) {
    const root = rootOf(cause)
    const name = `${keyOf(root.object)} ${root.reason ?? ''}`
    const known = byRoot.get(name)
    if (known === undefined) byRoot.set(name, cause)
  }
  return [...byRoot.values()]
}

/** A chain begins with the cluster, once. */
function chainOf(cause: Cause, top: CauseLink, key: GuestKey | undefined): CauseChain {
  const [first] = cause.links
  const root = rootOf(cause)
  const isTop = keyOf(first.object) === keyOf(top.object)
  return {
    links: isTop ? cause.links : [top, ...cause.links],
    ...(cause.remedy === undefined ? {} : { remedy: cause.remedy }),
    command: commandLine(cause.command ?? describe(root.object), root.object.side, key),
  }
}

function guestKey(evidence: Evidence): GuestKey | undefined {
  if (evidence.kind === 'Classic') return undefined
  const { metadata, status } = evidence.hostedCluster
  const { namespace = '', name = '' } = metadata
  return { namespace, name, secret: status?.kubeconfig?.name ?? `${name}-admin-kubeconfig` }
}
