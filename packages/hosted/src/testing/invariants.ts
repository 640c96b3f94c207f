import { ControlPlaneComponent, HostedControlPlane } from '@windlass/api'
import { isComplete, longestHistory, parseTime } from '@windlass/core'
import type { Invariant } from '@windlass/kube/simulation'

const historyOf = (controlPlane: HostedControlPlane | undefined) => controlPlane?.status?.controlPlaneVersion?.history ?? []
type Entry = ReturnType<typeof historyOf>[number]

/** When it ended is overwritten when the next one begins. */
const nameOf = ({ startedTime, version, image }: Entry): string => `${startedTime} ${version} ${image}`
const entriesOf = (controlPlane: HostedControlPlane | undefined): readonly string[] => historyOf(controlPlane).map(nameOf)
const completedIn = (controlPlane: HostedControlPlane | undefined): readonly string[] =>
  historyOf(controlPlane)
    .filter(({ state }) => state === 'Completed')
    .map(nameOf)

/** What holds after every write, whatever goes wrong. */
export const invariants: readonly Invariant[] = [
  {
    name: 'nothing becomes Completed while a component is behind in version, rollout or generation',
    of: HostedControlPlane,
    holds(write, state) {
      const newest = write.as(HostedControlPlane)?.status?.controlPlaneVersion?.history?.[0]
      const before = write.was(HostedControlPlane)?.status?.controlPlaneVersion?.history?.[0]
      if (newest?.state !== 'Completed' || before?.state === 'Completed') return true
      const target = { version: newest.version, generation: write.object.metadata.generation ?? 0 }
      const components = state.list(ControlPlaneComponent).filter(({ metadata }) => metadata.namespace === write.object.metadata.namespace)
      return isComplete(components, target) || `${newest.version} is said to be complete`
    },
  },
  {
    name: 'the times of a history are in order',
    of: HostedControlPlane,
    holds(write) {
      const history = write.as(HostedControlPlane)?.status?.controlPlaneVersion?.history ?? []
      const times = history.map(({ startedTime }) => parseTime(startedTime) ?? 0)
      return times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0)) || JSON.stringify(history)
    },
  },
  {
    name: 'no entry of a history is lost or doubled',
    of: HostedControlPlane,
    holds(write) {
      const before = entriesOf(write.was(HostedControlPlane))
      const after = entriesOf(write.as(HostedControlPlane))
      if (before.length >= longestHistory) return true
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
