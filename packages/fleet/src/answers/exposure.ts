import type { HostedCluster, NodePool } from '@windlass/api'
import { activeVersions, type Advisory, exposure, parseAdvisory, streamOf, tryParseVersion } from '@windlass/core'
import { wantedBy } from '@windlass/hosted'
import type { ClusterExposure, ClusterId, ExposureState, ExposureView, SideExposure } from '../contract/index.ts'
import { runningVersions, wantedNodes } from './hosted/node-pools.ts'
import type { ClassicParts, HostedParts } from './parts.ts'
import type { RecordedUpdate } from './sides.ts'
import { newestFirst } from './versions.ts'

/** Thrown when the versions that fix something cannot be taken for what they are meant to be. The message is for people. */
export class InvalidFixError extends Error {
  override readonly name = 'InvalidFixError'
}

/**
 * Reads versions as people give them: `4.20.3`, `4.19.19`, the first fixed one of each minor.
 *
 * # Errors
 *
 * `InvalidFixError`.
 */
export function parseFixes(fixedIn: readonly string[]): Advisory {
  const fixes = fixedIn.map((text) => text.trim()).filter((text) => text !== '')
  if (fixes.length === 0)
    throw new InvalidFixError('no fixed version is given: name the first fixed version of each minor, as in 4.20.3,4.19.19')
  const byStream: Record<string, string> = {}
  for (const text of fixes) {
    const version = tryParseVersion(text)
    if (version === undefined) throw new InvalidFixError(`"${text}" is not a version: give all three numbers, as in 4.20.3`)
    const stream = streamOf(version)
    const other = byStream[stream]
    if (other !== undefined && other !== text) {
      throw new InvalidFixError(
        `${stream} is said to be fixed in ${other} and in ${text}: keep the lower one, which is the first that is fixed`,
      )
    }
    byStream[stream] = text
  }
  try {
    return parseAdvisory({ fixedIn: byStream })
  } catch (error) {
    throw new InvalidFixError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Worst first. What is not known may be as bad as it gets; what is pending is being taken care of. */
export const exposureStates: readonly ExposureState[] = ['Vulnerable', 'Unknown', 'Pending', 'Fixed']

/** Components do not matter here: their control plane says what they run. */
type Exposed = Pick<HostedParts, 'hostedCluster' | 'pools' | 'unreadPools'>

/** The control plane by `controlPlaneVersion`, nodes by the history of the guest and the versions of the pools. */
export function hostedExposure(id: ClusterId, parts: Exposed, isCurrent: boolean, advisory: Advisory): ClusterExposure {
  const { hostedCluster, pools, unreadPools } = parts
  const { status } = hostedCluster
  const { history } = status?.controlPlaneVersion ?? {}
  const versions = (activeVersions(history, status?.version?.history) ?? []).map(({ text }) => text)
  const { status: state, reason } = exposure(status?.controlPlaneVersion, advisory)
  const controlPlane: SideExposure = { state, evidence: reason, versions }
  const guest = historyExposure(status?.version?.history, advisory, 'the guest')
  const unread = unreadPools === undefined ? [] : [unreadSide('its node pools', unreadPools)]
  const dataPlane = worstOf([guest, ...unread, ...pools.flatMap((pool) => poolExposure(pool, hostedCluster, advisory) ?? [])])
  return { id, state: worstState([controlPlane.state, dataPlane.state]), controlPlane, dataPlane, isCurrent }
}

/** The version operator moves the control plane of a classic cluster; its nodes follow. */
export function classicExposure(
  id: ClusterId,
  { clusterVersion, nodes }: ClassicParts,
  isCurrent: boolean,
  advisory: Advisory,
): ClusterExposure {
  const controlPlane = historyExposure(clusterVersion.status?.history, advisory, 'the cluster')
  const known = nodes.versions.map(({ version }) => version)
  const target = clusterVersion.status?.desired.version
  const ofNodes = known.length === 0 ? controlPlane : nodesExposure('its nodes', known, target, advisory)
  const dataPlane = nodes.unknownBecause === undefined ? ofNodes : worstOf([unreadSide('its nodes', nodes.unknownBecause), ofNodes])
  return { id, state: worstState([controlPlane.state, dataPlane.state]), controlPlane, dataPlane, isCurrent }
}

function historyExposure(history: readonly RecordedUpdate[] | undefined, advisory: Advisory, who: string): SideExposure {
  if (history === undefined || history.length === 0) {
    return { state: 'Unknown', evidence: `${who} has not reported any version`, versions: [] }
  }
  const { status: state, reason } = exposure({ history }, advisory)
  return { state, evidence: `${who}: ${reason}`, versions: (activeVersions(history) ?? []).map(({ text }) => text) }
}

/** Nobody is told that nodes are fixed whom nobody has looked at. */
function unreadSide(what: string, why: string): SideExposure {
  return { state: 'Unknown', evidence: `${what} are not known: ${why}`, versions: [] }
}

/** Undefined for a pool without nodes: there is nothing to be exposed. */
function poolExposure(pool: NodePool, cluster: HostedCluster, advisory: Advisory): SideExposure | undefined {
  const who = `node pool ${pool.metadata.name ?? ''}`
  const running = runningVersions(pool)
  if (running.length > 0) return nodesExposure(who, running, wantedBy(pool, cluster)?.text, advisory)
  if (wantedNodes(pool) === 0) return undefined
  return { state: 'Unknown', evidence: `${who} has not reported any version`, versions: [] }
}

/** Nodes that run some versions and go to one are judged like a control plane in the middle of that update. */
function nodesExposure(who: string, running: readonly string[], target: string | undefined, advisory: Advisory): SideExposure {
  const unsaid = running.includes('')
  const versions = running.filter((version) => version !== '')
  if (versions.length === 0 || unsaid) return { state: 'Unknown', evidence: `${who}: not all have reported their version`, versions }
  const histories =
    target === undefined || target === ''
      ? versions.map((version) => [{ state: 'Completed', version }])
      : [[target, ...versions].map((version) => ({ state: 'Partial', version }))]
  return worstOf(
    histories.map((history) => {
      const { status: state, reason } = exposure({ history }, advisory)
      return { state, evidence: `${who}: ${reason}`, versions }
    }),
  )
}

/** The worst one's evidence, and everything that may run. */
function worstOf(sides: readonly SideExposure[]): SideExposure {
  const state = worstState(sides.map((side) => side.state))
  const versions = [...new Set(sides.flatMap((side) => side.versions))].toSorted(newestFirst)
  const evidence = state === 'Fixed' ? (sides[0]?.evidence ?? '') : (sides.find((side) => side.state === state)?.evidence ?? '')
  return { state, evidence, versions }
}

function worstState(states: readonly ExposureState[]): ExposureState {
  return exposureStates.find((state) => states.includes(state)) ?? 'Unknown'
}

/** The answer for a whole fleet, the worst first. */
export function exposureView(time: string, fixedIn: readonly string[], clusters: readonly ClusterExposure[]): ExposureView {
  const counts: Record<ExposureState, number> = { Fixed: 0, Pending: 0, Vulnerable: 0, Unknown: 0 }
  for (const { state } of clusters) counts[state]++
  const order = (state: ExposureState): number => exposureStates.indexOf(state)
  return { time, fixedIn, counts, clusters: clusters.toSorted((a, b) => order(a.state) - order(b.state) || (a.id < b.id ? -1 : 1)) }
}
