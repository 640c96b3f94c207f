import { ControlPlaneComponent, HostedControlPlane } from '@windlass/api'
import { findCondition, type Instant, isFalse, isTrue, rolloutBlockers } from '@windlass/core'
import type { CauseLink } from '../../contract/index.ts'
import { behind, type Cause, causeOf, linkTo, placeOf, type Trouble } from '../cause.ts'
import type { HostedEvidence } from '../evidence.ts'
import { workloadTrouble } from '../workloads/index.ts'

/** A component that is not where it should be. */
interface Blocked {
  readonly component: ControlPlaneComponent
  /** Names of components that it says it waits for. */
  readonly waitsFor: readonly string[]
}

/**
 * What keeps components of a control plane from the release: one cause for each component that waits for no other, down to the Pod that does not come up. What waits for
 * it is told as a number, and as a path where there is only one.
 */
export function componentCauses(evidence: HostedEvidence, now: Instant): readonly Cause[] {
  const blocked = blockedIn(evidence)
  const graph = new Map(blocked.map((each) => [each.component.metadata.name ?? '', each]))
  const waiters = waitersIn(graph)
  const roots = blocked.filter(({ waitsFor }) => !waitsFor.some((name) => graph.has(name)))
  const [begun, untouched] = partition(roots, ({ component }) => !isTrue(component.status?.conditions, 'RolloutComplete'))
  return [
    ...begun.map(({ component, waitsFor }) => {
      const name = component.metadata.name ?? ''
      const count = allWaiters(name, waiters).size
      const trouble = componentTrouble({ component, waitsFor }, count, evidence, now)
      return causeOf(
        pathAbove(name, waiters, graph, evidence).reduce<Trouble>((found, link) => behind(link, found), trouble),
        count + 1,
      )
    }),
    ...notTakenUp(untouched, evidence),
  ]
}

/** While an update runs, whoever is not at its release; afterwards, whoever has broken. */
function blockedIn({ hostedCluster, components }: HostedEvidence): readonly Blocked[] {
  const { desired, observedGeneration = 0, history } = hostedCluster.status?.controlPlaneVersion ?? {}
  const present = components.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const isAsk = history?.[0]?.state !== 'Completed' && desired !== undefined
  const behindNames = isAsk
    ? new Set(rolloutBlockers(present, { version: desired.version, generation: observedGeneration }).map(({ name }) => name))
    : new Set<string>()
  return present
    .filter(({ metadata, status }) =>
      isAsk
        ? behindNames.has(metadata.name ?? '')
        : isFalse(status?.conditions, 'RolloutComplete') || isFalse(status?.conditions, 'Available'),
    )
    .map((component) => ({ component, waitsFor: dependenciesIn(component) }))
}

const waitingPrefix = 'Waiting for Dependencies: '

function dependenciesIn({ status }: ControlPlaneComponent): readonly string[] {
  const { reason, message = '' } = findCondition(status?.conditions, 'RolloutComplete') ?? {}
  if (reason !== 'WaitingForDependencies' || !message.startsWith(waitingPrefix)) return []
  return message.slice(waitingPrefix.length).split(', ')
}

/** Who waits for whom, the other way round. */
function waitersIn(graph: ReadonlyMap<string, Blocked>): ReadonlyMap<string, readonly string[]> {
  const waiters = new Map<string, string[]>()
  for (const [name, { waitsFor }] of graph) for (const other of waitsFor) waiters.set(other, [...(waiters.get(other) ?? []), name])
  return waiters
}

function allWaiters(name: string, waiters: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const all = new Set<string>()
  const open = [name]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const waiter of waiters.get(next) ?? []) {
      if (all.has(waiter)) continue
      all.add(waiter)
      open.push(waiter)
    }
  }
  return all
}

/** Links of components that wait for this one, nearest first, as long as there is one at a time: etcd, then kube-apiserver, then everybody. */
function pathAbove(
  name: string,
  waiters: ReadonlyMap<string, readonly string[]>,
  graph: ReadonlyMap<string, Blocked>,
  evidence: HostedEvidence,
): readonly CauseLink[] {
  const links: CauseLink[] = []
  const seen = new Set([name])
  for (let below = name; ;) {
    const [above, ...others] = waiters.get(below) ?? []
    const found = above === undefined ? undefined : graph.get(above)
    if (above === undefined || found === undefined || others.length > 0 || seen.has(above)) return links
    seen.add(above)
    const said = findCondition(found.component.status?.conditions, 'RolloutComplete')
    const behindIt = allWaiters(above, waiters).size
    const says = `it waits for ${below}${behindIt === 0 ? '' : `, and ${countWords(behindIt)} for it`}`
    links.push(linkTo(placeIn(evidence, above), says, { reason: said?.reason, since: said?.lastTransitionTime }))
    below = above
  }
}

function componentTrouble({ component, waitsFor }: Blocked, waiting: number, evidence: HostedEvidence, now: Instant): Trouble {
  const name = component.metadata.name ?? ''
  const version = evidence.hostedCluster.status?.controlPlaneVersion?.desired.version
  const { reason = '', message = '', lastTransitionTime: since } = findCondition(component.status?.conditions, 'RolloutComplete') ?? {}
  const others = waiting === 0 ? '' : `; ${countWords(waiting)} for it`
  const target = version === undefined ? 'it has not rolled out' : `it has not rolled out ${version}`
  const link = linkTo(placeOf(ControlPlaneComponent, component, 'management'), `${target}${others}`, { reason, since })
  const told = linkTo(link.object, `${target}: ${message === '' ? 'it does not say why' : message}${others}`, { reason, since })
  if (reason === 'ReconciliationError')
    return { weight: 'Broken', links: [told], remedy: 'Put right what the message names; it is tried again by itself.' }
  // What it waits for is there by now: it has not looked again yet, or the component is missing altogether.
  const missing = waitsFor.find((each) => !evidence.components.some(({ metadata }) => metadata.name === each))
  if (missing !== undefined)
    return {
      weight: 'Waiting',
      links: [told, linkTo(placeIn(evidence, missing), 'it is not there', { reason: 'Missing' })],
      remedy: 'See what the HostedControlPlane says about its components.',
      command: `describe hostedcontrolplane -n ${evidence.controlPlaneNamespace}`,
    }
  const names = reason === 'WaitingForOperands' ? operandsIn(message) : [name]
  for (const each of names) {
    const trouble = workloadTrouble(each, evidence.controlPlane, now)
    if (trouble !== undefined) return behind(reason === 'WaitingForOperands' ? told : link, trouble)
  }
  return { weight: reason === 'WaitingForRolloutComplete' || waitsFor.length > 0 ? 'Working' : 'Waiting', links: [told] }
}

/** `deployment ovnkube-control-plane is not ready`: which Deployments, by what is said about them. */
function operandsIn(message: string): readonly string[] {
  return [...new Set(Array.from(message.matchAll(/deployment (\S+?)(?=[\s,;:]|$)/g), (match) => match[1] ?? ''))]
}

/** Components that are well where they are: nobody has told them to go on. */
function notTakenUp(untouched: readonly Blocked[], evidence: HostedEvidence): readonly Cause[] {
  if (untouched.length === 0) return []
  const { hostedCluster, controlPlaneNamespace } = evidence
  const { desired, history } = hostedCluster.status?.controlPlaneVersion ?? {}
  const place = {
    kind: HostedControlPlane.kind,
    namespace: controlPlaneNamespace,
    name: hostedCluster.metadata.name ?? '',
    side: 'management',
  } as const
  const words = untouched.length === 1 ? 'one component has' : `${untouched.length} components have`
  const says = `${words} not been told of ${desired?.version ?? 'the release'} yet`
  return [
    causeOf(
      { weight: 'Working', links: [linkTo(place, says, { reason: 'NotBegun', since: history?.[0]?.startedTime })] },
      untouched.length,
    ),
  ]
}

function placeIn({ controlPlaneNamespace: namespace }: HostedEvidence, name: string): CauseLink['object'] {
  return { kind: ControlPlaneComponent.kind, namespace, name, side: 'management' }
}

function countWords(count: number): string {
  return count === 1 ? 'one component waits' : `${count} components wait`
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))]
}
