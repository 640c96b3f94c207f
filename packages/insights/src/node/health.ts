import { type Instant, transitionTime } from '@windlass/core'
import { earliest, type Observation, type Observations, orNoMessage, references, stageAt } from '../health/index.ts'
import type { ProgressStatus } from './assess.ts'
import type { BudgetName } from './drain.ts'
import { isUpdating, type NodeState } from './node-state.ts'
import { scopeOf } from './pools.ts'
import type { Reason } from './unavailability.ts'

const minute = 60_000
/** Which budgets are in the way changes without a word to us: so often it is looked up while a drain is stuck. */
const refreshAfter = minute

export interface NodeSigns {
  readonly state: NodeState
  readonly progress: ProgressStatus
  /** Those that hold up its drain. */
  readonly budgets: readonly BudgetName[]
}

/** What is wrong with a node during an update. */
export function observe(signs: NodeSigns, now: Instant, speed = 1): Observations {
  const drain = observeDrain(signs, now, speed)
  const found = [drain, drain.isFailure ? nothing : observeDegradation(signs), observeAbsence(signs, now, speed)]
  return { observations: found.flatMap(({ observations }) => observations), nextAt: earliest(...found.map(({ nextAt }) => nextAt)) }
}

const nothing: Observations = { observations: [], nextAt: undefined }

function observeDegradation({ state, progress }: NodeSigns): Observations {
  const { name, degradation } = state
  if (degradation === undefined) return nothing
  const observation: Observation = {
    ...about(state),
    level: 'Error',
    impact: 'Update Stalled',
    summary: `Node ${name} is degraded`,
    description: orNoMessage(degradation),
    reference: references.machineConfig,
    since: transitionTime(progress.conditions, 'Degraded'),
  }
  return { observations: [observation], nextAt: undefined }
}

const drainStages = [
  { after: 10 * minute, level: 'Warning', impact: 'Update Speed' },
  { after: 60 * minute, level: 'Error', impact: 'Update Stalled' },
] as const

/** The daemon's own verdict, after an hour, counts at once: we may not have watched for that long. */
function observeDrain(
  { state, progress, budgets }: NodeSigns,
  now: Instant,
  speed: number,
): Observations & { readonly isFailure: boolean } {
  const isFailure = state.phase === 'Draining' && state.degradation?.startsWith('failed to drain node') === true
  const since = transitionTime(progress.conditions, 'Updating') ?? now
  if (state.phase !== 'Draining') return { ...nothing, isFailure }
  const { stage: reached, nextAt } = stageAt(drainStages, since, now, speed)
  const stage = isFailure ? drainStages[1] : reached
  if (stage === undefined) return { observations: [], nextAt, isFailure }
  const refs = budgets.map(({ namespace, name }) => ({ group: 'policy', resource: 'poddisruptionbudgets', namespace, name }))
  const { scope, resources } = about(state)
  const observation: Observation = {
    scope,
    resources: [...resources, ...refs],
    level: stage.level,
    impact: stage.impact,
    summary: `Draining of node ${state.name} is blocked`,
    description: drainWords(budgets, state.degradation),
    reference: references.drain,
    since,
  }
  return { observations: [observation], nextAt: earliest(nextAt, now + refreshAfter / speed), isFailure }
}

function drainWords(budgets: readonly BudgetName[], degradation: string | undefined): string {
  const names = budgets.map(({ namespace, name }) => `${namespace}/${name}`).join(', ')
  const why =
    names === '' ? 'No pod disruption budget is known to stand in the way.' : `Pod disruption budgets that allow no eviction: ${names}.`
  return degradation === undefined || degradation === '' ? why : `${degradation}. ${why}`
}

/** How long which reason must last to be serious, and how the summary words it. Of the others none is. These count from the moment, not after it. */
const serious: Readonly<Partial<Record<Reason['reason'], { readonly after: number; readonly words: string }>>> = {
  'Not ready': { after: 5 * minute - 1, words: 'is not ready' },
  'Disk pressure': { after: minute - 1, words: 'has disk pressure' },
  'Network unavailable': { after: minute - 1, words: 'has unavailable network' },
}

function observeAbsence({ state }: NodeSigns, now: Instant, speed: number): Observations {
  const { name, unavailability } = state
  if (unavailability === undefined || isUpdating(state)) return nothing
  const judged = unavailability.reasons.flatMap((reason) => {
    const row = serious[reason.reason]
    return row === undefined ? [] : [{ reason, row, ...stageAt([{ after: row.after }], reason.told?.since ?? now, now, speed) }]
  })
  const nextAt = earliest(...judged.map((each) => each.nextAt))
  const bad = judged.filter(({ stage }) => stage !== undefined)
  if (bad.length === 0) return { observations: [], nextAt }
  const observation: Observation = {
    ...about(state),
    level: 'Warning',
    impact: 'Update Speed',
    summary: bad.map(({ row }) => `Node ${name} ${row.words}`).join(' | '),
    description: bad.map(({ reason }) => described(reason)).join('\n'),
    reference: references.machineConfig,
    since: unavailability.since,
  }
  return { observations: [observation], nextAt }
}

function described({ reason, told }: Reason): string {
  return `Node has a ${told?.condition} condition with Reason "${reason}" and message "${told?.message ?? ''}"`
}

function about({ name, pool }: NodeState): Pick<Observation, 'scope' | 'resources'> {
  return { scope: scopeOf(pool.name), resources: [{ resource: 'nodes', name }] }
}
