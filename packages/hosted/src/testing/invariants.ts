import { isDeepStrictEqual } from 'node:util'
import { ControlPlaneComponent, HostedCluster, HostedControlPlane } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { findCondition, longestHistory, parseTime } from '@windlass/core'
import type { Invariant, StateReader } from '@windlass/kube/simulation'

const historyOf = (said: HostedControlPlane | HostedCluster | undefined) => said?.status?.controlPlaneVersion?.history ?? []
type Entry = ReturnType<typeof historyOf>[number]

/** When it ended is overwritten when the next one begins. */
const nameOf = ({ startedTime, version, image }: Entry): string => `${startedTime} ${version} ${image}`
const described = (entry: Entry | undefined): string => (entry === undefined ? 'nothing' : `${entry.state} ${nameOf(entry)}`)
const completedIn = (controlPlane: HostedControlPlane | undefined): readonly string[] =>
  historyOf(controlPlane)
    .filter(({ state }) => state === 'Completed')
    .map(nameOf)

/** The entry that goes when there is no place for another: the oldest, unless it is the newest that was completed. */
function expendableIn(history: readonly Entry[]): number {
  const oldest = history.length - 1
  return history.findIndex(({ state }) => state === 'Completed') === oldest ? oldest - 1 : oldest
}

/** The newest generation that all components had rolled out together, by namespace and version, for each server. */
const rolledOut = new WeakMap<StateReader, Map<string, number>>()

/**
 * Up to which generation all components have rolled out the version that they name; undefined when one has not, or when there is no API server.
 * Spelled out here: with the rule of the controllers, their mistakes would be right.
 */
function rolledOutBy(components: readonly ControlPlaneComponent[]): { readonly version: string; readonly generation: number } | undefined {
  const { version } = components[0]?.status ?? {}
  if (version === undefined || !components.some(({ metadata }) => metadata.name === 'kube-apiserver')) return undefined
  const isThere = ({ status }: ControlPlaneComponent): boolean =>
    status?.version === version && findCondition(status.conditions, 'RolloutComplete')?.status === 'True'
  if (!components.every(isThere)) return undefined
  return { version, generation: Math.min(...components.map(({ status }) => status?.observedGeneration ?? 0)) }
}

/**
 * Completed is said of what was seen, and between the look and the write a component may have fallen back: nobody can read and write several objects at
 * once. So all of them must have been there together at some moment, for this version and this generation.
 */
const neverTooEarly: Invariant = {
  name: 'nothing becomes Completed while a component is behind in version, rollout or generation',
  holds(write, state) {
    const { namespace } = write
    const generations = rolledOut.get(state) ?? new Map<string, number>()
    rolledOut.set(state, generations)
    const mayMatter = write.isOf(ControlPlaneComponent) || write.isOf(HostedControlPlane)
    const reached = mayMatter ? rolledOutBy(componentsIn(state, namespace)) : undefined
    if (reached !== undefined) {
      const place = `${namespace} ${reached.version}`
      generations.set(place, Math.max(reached.generation, generations.get(place) ?? 0))
    }
    const [newest] = historyOf(write.as(HostedControlPlane))
    const [before] = historyOf(write.was(HostedControlPlane))
    if (newest?.state !== 'Completed' || described(newest) === described(before)) return true
    const { version } = newest
    const { generation = 0 } = write.object.metadata
    return (generations.get(`${namespace} ${version}`) ?? -1) >= generation || `${version} is said to be complete`
  },
}

/** What an object says, without what servers write into it and when conditions changed. */
function gist({ metadata, ...rest }: KubernetesObject): object {
  const { resourceVersion: _, managedFields: __, generation: ___, ...own } = metadata
  const status: unknown = Reflect.get(rest, 'status')
  const conditions: unknown = isObject(status) ? Reflect.get(status, 'conditions') : undefined
  if (!isObject(status) || !Array.isArray(conditions)) return { ...rest, metadata: own }
  const timeless = conditions.map((condition: object) => ({ ...condition, lastTransitionTime: '' }))
  return { ...rest, metadata: own, status: { ...status, conditions: timeless } }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** One that is being deleted has been disabled, and holds nothing back. */
function componentsIn(state: StateReader, namespace: string): readonly ControlPlaneComponent[] {
  return state.list(ControlPlaneComponent, { namespace }).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
}

/** What holds after every write, whatever goes wrong. */
export const invariants: readonly Invariant[] = [
  neverTooEarly,
  {
    name: 'the times of a history are in order',
    of: HostedControlPlane,
    holds(write) {
      const history = historyOf(write.as(HostedControlPlane))
      const times = history.map(({ startedTime }) => parseTime(startedTime) ?? 0)
      return times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0)) || JSON.stringify(history)
    },
  },
  {
    name: 'an update ends no earlier than it began, and when the next one begins',
    of: HostedControlPlane,
    holds(write) {
      const history = historyOf(write.as(HostedControlPlane))
      const isRight = history.every(({ state, startedTime, completionTime }, index) => {
        // The one that runs has no end; an older one ends where the one above it starts, whatever became of it.
        if (index === 0 && state === 'Partial') return completionTime === undefined
        const end = parseTime(completionTime)
        if (end === undefined || end < (parseTime(startedTime) ?? 0)) return false
        const next = parseTime(history[index - 1]?.startedTime) ?? Infinity
        // Those that stood above the last one may have been pruned.
        return index === 0 || end === next || (index === longestHistory - 1 && end < next)
      })
      return isRight || JSON.stringify(history)
    },
  },
  {
    name: 'no entry of a history is lost, doubled or rewritten, but that the newest is completed',
    of: HostedControlPlane,
    holds(write) {
      const before = historyOf(write.was(HostedControlPlane))
      const after = historyOf(write.as(HostedControlPlane))
      const [newest] = before
      const isFull = before.length === longestHistory
      const isOvertaken = newest !== undefined && after[0] !== undefined && nameOf(newest) !== nameOf(after[0])
      const kept = isFull && isOvertaken ? before.toSpliced(expendableIn(before), 1) : before
      const added = after.length - kept.length
      const mayBe = (entry: Entry, index: number): readonly string[] => [
        described(entry),
        ...(added === 0 && index === 0 ? [described({ ...entry, state: 'Completed' })] : []),
      ]
      const isKept = kept.every((entry, index) => mayBe(entry, index).includes(described(after[index + added])))
      return ((added === 0 || added === 1) && isKept) || `${before.map(described).join(', ')} became ${after.map(described).join(', ')}`
    },
  },
  {
    name: 'the newest Completed entry stays',
    of: HostedControlPlane,
    holds(write) {
      const newest = completedIn(write.was(HostedControlPlane))[0]
      const after = completedIn(write.as(HostedControlPlane))
      return newest === undefined || after.includes(newest) || `${newest} is not among ${after.join(', ')}`
    },
  },
  {
    name: 'a HostedCluster says nothing of its control plane but what that has said',
    of: HostedCluster,
    holds(write, state) {
      const { namespace, name } = write
      const controlPlane = state.get(HostedControlPlane, { namespace: `${namespace}-${name}`, name })
      const [newest] = historyOf(write.as(HostedCluster))
      if (newest === undefined || controlPlane === undefined) return true
      // It may be a look behind: what runs by its word may have been completed since.
      const said = historyOf(controlPlane).find((entry) => nameOf(entry) === nameOf(newest))
      return (said !== undefined && ['Partial', said.state].includes(newest.state)) || `${described(newest)} was never said`
    },
  },
  // Components are left out: who has not seen one yet says again what its predecessor has said, and cannot know.
  ...[HostedCluster, HostedControlPlane].map((kind): Invariant => ({
    name: `a write to a ${kind.kind} says something new`,
    of: kind,
    holds(write) {
      if (write.verb !== 'update' || write.before === undefined) return true
      return !isDeepStrictEqual(gist(write.object), gist(write.before)) || `nothing but times changed: ${String(write)}`
    },
  })),
  {
    name: 'what the guest says keeps its nulls',
    of: HostedControlPlane,
    holds(write) {
      const { versionStatus } = write.as(HostedControlPlane)?.status ?? {}
      const isWhole =
        versionStatus === undefined ||
        ('availableUpdates' in versionStatus && versionStatus.history?.every((entry) => 'completionTime' in entry) !== false)
      return isWhole || JSON.stringify(versionStatus)
    },
  },
]
