import type { ClusterOperatorProgressInsight, ClusterVersion, MachineConfigPoolProgressInsight, NodeProgressInsight } from '@windlass/api'
import {
  type Duration,
  type FinishedUpdate,
  findCondition,
  type Instant,
  type LearnedEstimate,
  learnedEstimate,
  parseTime,
  type RunningUpdate,
} from '@windlass/core'
import { updateOf, type UpdateOnRecord } from './noting.ts'
import { isSameUpdate, recordOf, recordsOf, type UpdateIdentity, type UpdateRecord } from './record.ts'

/** What is learned about the newest update of a cluster. */
export interface Learned {
  /** Undefined when it is done, and for an installation. */
  readonly controlPlane: LearnedEstimate | undefined
  /** Of the pools that are not done, by name. The control plane's own is a part of it. */
  readonly pools: ReadonlyMap<string, LearnedEstimate>
}

/** What it is learned from. */
export interface Lessons {
  /** Its history is where finished updates come from; without it nothing is learned. */
  readonly clusterVersion: ClusterVersion | undefined
  readonly operators: readonly ClusterOperatorProgressInsight[]
  readonly pools: readonly MachineConfigPoolProgressInsight[]
  readonly nodes: readonly NodeProgressInsight[]
}

/** Only so many updates before this one: clusters change. */
const recent = 5
const controlPlanePool = 'master'

/**
 * When the newest update of a cluster should be done, by how its finished ones went: the control plane by its operators and its own machines, each other pool
 * by its nodes.
 */
export function learnFrom(lessons: Lessons, now: Instant): Learned {
  const update = updateOf(lessons.clusterVersion)
  const startedAt = parseTime(update?.started)
  if (update === undefined || startedAt === undefined) return { controlPlane: undefined, pools: new Map() }
  const isRunning = update.ended === undefined
  return {
    controlPlane: isRunning ? inWords(learnedEstimate(runningOf(lessons, update, startedAt), finishedOf(lessons), now)) : undefined,
    pools: new Map(
      lessons.pools
        .filter((pool) => pool.metadata.name !== controlPlanePool && isBehind(pool))
        .map((pool) => [pool.metadata.name ?? '', learnedOfPool(pool, lessons, update, startedAt, now)]),
    ),
  }
}

/** Operators, and the machines of the control plane one by one: the last operator waits for all of them, for a third of the time. */
function runningOf(lessons: Lessons, update: UpdateOnRecord, startedAt: Instant): RunningUpdate {
  const pool = lessons.pools.find(({ metadata }) => metadata.name === controlPlanePool)
  const nodes = pool === undefined ? [] : arrivals(pool, lessons, startedAt)
  return { startedAt, parts: new Map([...operatorsIn(lessons, update, startedAt), ...nodes]) }
}

/** When each operator was done. One that is, and nobody saw it get there, is not in it. */
function* operatorsIn({ operators }: Lessons, update: UpdateOnRecord, startedAt: Instant): Generator<[string, Instant | undefined]> {
  for (const operator of operators) {
    const { name = '' } = operator.metadata
    const record = recordOf(operator, update)
    if (record !== undefined) yield [name, startedAt + record.doneAfter * 1000]
    else if (findCondition(operator.status?.conditions, 'Updating')?.reason !== 'Updated') yield [name, undefined]
  }
}

/** The same of a finished update, from its beginning. */
function* operatorsThen({ operators }: Lessons, update: UpdateIdentity): Generator<[string, Duration]> {
  for (const operator of operators) {
    const record = recordOf(operator, update)
    if (record !== undefined) yield [operator.metadata.name ?? '', record.doneAfter * 1000]
  }
}

/**
 * How long each took is in the history, whose oldest entry is the installation. Updates from before there were insights have no parts: how long they took says nothing about
 * one that is half done, so that nothing is learned from them.
 */
function finishedOf(lessons: Lessons): readonly FinishedUpdate[] {
  const pool = lessons.pools.find(({ metadata }) => metadata.name === controlPlanePool)
  const updates = (lessons.clusterVersion?.status?.history ?? [])
    .slice(1, -1)
    .flatMap(({ state, startedTime, completionTime, version }) => {
      const took = (parseTime(completionTime) ?? Number.NaN) - (parseTime(startedTime) ?? Number.NaN)
      return state === 'Completed' && took > 0 ? [{ to: version ?? '', started: startedTime, took }] : []
    })
  const finished = updates.map(({ took, ...update }): FinishedUpdate => {
    const record = pool === undefined ? undefined : recordOf(pool, update)
    const nodes = pool === undefined || record === undefined ? [] : nodesThen(controlPlanePool, totalOf(pool, lessons), spanOf(record))
    return { took, parts: new Map([...operatorsThen(lessons, update), ...nodes]) }
  })
  return finished.filter(({ parts }) => parts.size > 0).slice(0, recent)
}

/**
 * As many nodes as there are now, at the pace that they had then. Before the first of them come the operators that were done before it: a pool that is not begun waits for
 * those.
 */
function learnedOfPool(
  pool: MachineConfigPoolProgressInsight,
  lessons: Lessons,
  update: UpdateOnRecord,
  startedAt: Instant,
  now: Instant,
): LearnedEstimate {
  const { name = '' } = pool.metadata
  const total = totalOf(pool, lessons)
  const finished = recordsOf(pool).flatMap((record): readonly FinishedUpdate[] => {
    if (isSameUpdate(record, update) || record.nodes === undefined || record.nodes === 0) return []
    const { begun, done } = spanOf(record)
    const took = begun + ((done - begun) / record.nodes) * total
    const before = [...operatorsThen(lessons, record)].filter(([, after]) => after <= begun)
    return [{ took, parts: new Map([...before, ...nodesThen(name, total, { begun, done: took })]) }]
  })
  const parts = new Map([...operatorsIn(lessons, update, startedAt), ...arrivals(pool, lessons, startedAt)])
  return inWords(learnedEstimate({ startedAt, parts }, finished, now))
}

/** When each node of a pool was done, the first first; undefined for those that are not. Which is which does not matter. */
function arrivals(
  pool: MachineConfigPoolProgressInsight,
  lessons: Lessons,
  startedAt: Instant,
): readonly (readonly [string, Instant | undefined])[] {
  const { name = '' } = pool.metadata
  const done = nodesOf(pool, lessons).flatMap(({ status }) => {
    const updating = findCondition(status?.conditions, 'Updating')
    if (updating?.reason !== 'Completed') return []
    return [Math.max(startedAt, parseTime(updating.lastTransitionTime) ?? startedAt)]
  })
  done.sort((a, b) => a - b)
  return Array.from({ length: totalOf(pool, lessons) }, (_, index) => [nodePart(name, index + 1), done[index]] as const)
}

/** One after the other, at equal distances. */
function nodesThen(pool: string, total: number, { begun, done }: Span): readonly (readonly [string, Duration])[] {
  return Array.from({ length: total }, (_, index) => [nodePart(pool, index + 1), begun + ((done - begun) * (index + 1)) / total] as const)
}

/** Names of operators have no colon. */
const nodePart = (pool: string, index: number): string => `${pool}:${index}`

/** Which node comes next is not known, only that one does. */
function inWords(estimate: LearnedEstimate): LearnedEstimate {
  if (estimate.state !== 'stalled' && estimate.state !== 'slower') return estimate
  const on = estimate.on.map((part) => {
    const [name = '', index] = part.split(':')
    return index === undefined ? name : `more nodes of pool ${name}`
  })
  return { ...estimate, on: [...new Set(on)] }
}

/** From when to when nodes were updated, counted from the beginning of the update. */
interface Span {
  readonly begun: Duration
  readonly done: Duration
}

function spanOf({ begunAfter = 0, doneAfter }: UpdateRecord): Span {
  return { begun: begunAfter * 1000, done: doneAfter * 1000 }
}

function nodesOf({ metadata }: MachineConfigPoolProgressInsight, { nodes }: Lessons): readonly NodeProgressInsight[] {
  return nodes.filter(({ status }) => status?.poolResource.name === metadata.name)
}

/** Summaries end at 2,000. Insights into nodes do not, but there may be none. */
function totalOf(pool: MachineConfigPoolProgressInsight, lessons: Lessons): number {
  const summary = pool.status?.summaries?.find(({ type }) => type === 'Total')?.count ?? 0
  return Math.max(summary, nodesOf(pool, lessons).length)
}

/** A paused pool has nodes that are behind, and is not on its way: there is nothing to wait for. */
function isBehind({ status }: MachineConfigPoolProgressInsight): boolean {
  const outdated = status?.summaries?.find(({ type }) => type === 'Outdated')?.count ?? 0
  return outdated > 0 && findCondition(status?.conditions, 'Updating')?.reason !== 'Paused'
}
