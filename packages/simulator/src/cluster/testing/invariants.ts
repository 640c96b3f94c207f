import { ClusterOperator, ClusterVersion, MachineConfigPool, Node } from '@windlass/api'
import { findCondition, parseTime } from '@windlass/core'
import type { Invariant } from '@windlass/kube/simulation'
import { isUnavailable, poolOf } from '../machine-config/index.ts'
import { type Payload, selfManagedPayload } from '../payload/index.ts'

/** Never more nodes of a pool are away than may be. Not for simulations that break nodes on purpose. */
export const fewAreAway: Invariant = {
  name: 'no pool has more nodes away than it may',
  of: Node,
  holds(_, state) {
    const pools = state.list(MachineConfigPool)
    const nodes = state.list(Node)
    for (const pool of pools) {
      const away = nodes.filter((node) => poolOf(node, pools) === pool && isUnavailable(node))
      const most = typeof pool.spec.maxUnavailable === 'number' ? pool.spec.maxUnavailable : 1
      if (away.length > most)
        return `of ${pool.metadata.name ?? ''} ${away.map(({ metadata }) => metadata.name).join(' and ')} are away, and ${most} may be`
    }
    return true
  },
}

/** An operator gets to a release only when all operators of the steps before it have. Not for installations, which do all at once. */
export function inOrder(payload: Payload = selfManagedPayload): Invariant {
  return {
    name: 'operators are updated in the order of their steps',
    of: ClusterOperator,
    holds(write, state) {
      const [version, before] = [versionOf(write.as(ClusterOperator)), versionOf(write.was(ClusterOperator))]
      const target = state.get(ClusterVersion, { name: 'version' })?.status?.desired.version
      if (version === undefined || version === before || version !== target) return true
      const step = payload.operators.get(write.name)?.step ?? 0
      const behind = [...payload.operators.values()].filter(
        (each) => each.step < step && versionOf(state.get(ClusterOperator, { name: each.operator.name })) !== target,
      )
      return behind.length === 0 || `${write.name} is at ${target} before ${behind.map(({ operator }) => operator.name).join(', ')}`
    },
  }
}

function versionOf(operator: ClusterOperator | undefined): string | undefined {
  return operator?.status?.versions?.find(({ name }) => name === 'operator')?.version
}

type Entry = NonNullable<NonNullable<ClusterVersion['status']>['history']>[number]

/** What must be so of every history. */
export const lawfulHistory: Invariant = {
  name: 'the history keeps its laws',
  of: ClusterVersion,
  holds(write) {
    const after = write.as(ClusterVersion)?.status?.history ?? []
    const before = write.was(ClusterVersion)?.status?.history ?? []
    for (const [index, entry] of after.entries()) {
      if (index > 0 && entry.completionTime === null) return `${entry.version ?? ''} has no end, though another came after it`
      if (entry.state === 'Completed' && entry.completionTime === null) return `${entry.version ?? ''} is completed and has no end`
      if (index === 0 && entry.state === 'Partial' && entry.completionTime !== null) return `${entry.version ?? ''} runs and has an end`
      if (time(entry.completionTime) < time(entry.startedTime)) return `${entry.version ?? ''} ends before it begins`
      if (index > 0 && time(entry.startedTime) > time(after[index - 1]?.startedTime))
        return `${entry.version ?? ''} begins after its successor`
    }
    const added = after.length - before.length
    if (added < 0 || added > 1) return `it had ${before.length} entries and has ${after.length}`
    return before.every((entry, index) => isContinued(entry, after[index + added])) || 'what was on record has changed'
  },
}

function time(text: string | null | undefined): number {
  return parseTime(text) ?? Number.POSITIVE_INFINITY
}

function isContinued(was: Entry, is: Entry | undefined): boolean {
  if (is === undefined || was.version !== is.version || was.image !== is.image || was.startedTime !== is.startedTime) return false
  if (was.state === 'Completed' && is.state !== 'Completed') return false
  return was.completionTime === null || was.completionTime === is.completionTime
}

/** A beginning and an end are one write each, and counters never fall. */
export const lawfulProgress: Invariant = {
  name: 'progress is told in one piece, and never falls',
  of: ClusterVersion,
  holds(write) {
    const [is, was] = [write.as(ClusterVersion)?.status, write.was(ClusterVersion)?.status]
    const [newest, progressing] = [is?.history?.[0], findCondition(is?.conditions, 'Progressing')]
    if (newest?.state === 'Partial' && progressing?.status !== 'True') return 'an update runs, and Progressing is not True'
    if (newest !== undefined && is?.desired.version !== newest.version) return 'what is desired is not what is on record'
    if (was?.history?.[0]?.state === 'Partial' && newest?.state === 'Completed' && progressing?.status !== 'False')
      return 'an update has ended, and Progressing is True'
    const [now, before] = [doneIn(progressing?.message), doneIn(findCondition(was?.conditions, 'Progressing')?.message)]
    const isSame = was?.desired.image === is?.desired.image && was?.versionHash === is?.versionHash
    return !isSame || now === undefined || before === undefined || now >= before || `${before} manifests were done, and now ${now} are`
  },
}

function doneIn(message: string | undefined): number | undefined {
  const text = /: (\d+) of \d+ done/.exec(message ?? '')?.[1]
  return text === undefined ? undefined : Number(text)
}

export const ofUpdates: readonly Invariant[] = [fewAreAway, inOrder(), lawfulHistory, lawfulProgress]
