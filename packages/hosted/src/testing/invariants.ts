import { isDeepStrictEqual } from 'node:util'
import { ControlPlaneComponent, HostedCluster, HostedControlPlane } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { isComplete, longestHistory, parseTime } from '@windlass/core'
import type { Invariant, StateReader } from '@windlass/kube/simulation'

const historyOf = (controlPlane: HostedControlPlane | undefined) => controlPlane?.status?.controlPlaneVersion?.history ?? []
type Entry = ReturnType<typeof historyOf>[number]

/** When it ended is overwritten when the next one begins. */
const nameOf = ({ startedTime, version, image }: Entry): string => `${startedTime} ${version} ${image}`
const entriesOf = (controlPlane: HostedControlPlane | undefined): readonly string[] => historyOf(controlPlane).map(nameOf)
const completedIn = (controlPlane: HostedControlPlane | undefined): readonly string[] =>
  historyOf(controlPlane)
    .filter(({ state }) => state === 'Completed')
    .map(nameOf)

/** The entry that goes when there is no place for another: the oldest, unless it is the newest that was completed. */
function expendableIn(controlPlane: HostedControlPlane | undefined): number {
  const history = historyOf(controlPlane)
  const oldest = history.length - 1
  return history.findIndex(({ state }) => state === 'Completed') === oldest ? oldest - 1 : oldest
}

/** The newest generation that all components had rolled out together, by namespace and version, for each server. */
const rolledOut = new WeakMap<StateReader, Map<string, number>>()

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
    if (write.isOf(ControlPlaneComponent)) {
      const components = componentsIn(state, namespace)
      const generation = Math.min(...components.map(({ status }) => status?.observedGeneration ?? 0))
      const version = components[0]?.status?.version ?? ''
      const known = generations.get(`${namespace} ${version}`) ?? 0
      if (generation > known && isComplete(components, { version, generation })) generations.set(`${namespace} ${version}`, generation)
    }
    const newest = historyOf(write.as(HostedControlPlane))[0]
    if (newest?.state !== 'Completed' || historyOf(write.was(HostedControlPlane))[0]?.state === 'Completed') return true
    const { version } = newest
    const { generation = 0 } = write.object.metadata
    const wasComplete = (generations.get(`${namespace} ${version}`) ?? -1) >= generation
    return wasComplete || isComplete(componentsIn(state, namespace), { version, generation }) || `${version} is said to be complete`
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

function componentsIn(state: StateReader, namespace: string): readonly ControlPlaneComponent[] {
  return state.list(ControlPlaneComponent).filter(({ metadata }) => metadata.namespace === namespace)
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
    name: 'no entry of a history is lost or doubled',
    of: HostedControlPlane,
    holds(write) {
      const before = entriesOf(write.was(HostedControlPlane))
      const after = entriesOf(write.as(HostedControlPlane))
      if (before.length === longestHistory && after[0] !== before[0]) {
        const kept = before.toSpliced(expendableIn(write.was(HostedControlPlane)), 1)
        return after.slice(1).join() === kept.join() || `${before.join(', ')} became ${after.join(', ')}`
      }
      const added = after.length - before.length
      const isGrown = (added === 0 || added === 1) && before.every((entry, index) => entry === after[index + added])
      return isGrown || `${before.join(', ')} became ${after.join(', ')}`
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
