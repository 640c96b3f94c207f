import { type Instant, parseTime, type RolloutState, shortDuration } from '@windlass/core'
import { type Paint, plain } from '../colours.ts'
import { stateCell } from '../states.ts'
import { type Cell, tableLines } from '../table.ts'
import type { HistoryView, SideView, UpdateView } from './history.ts'

/** A history for people: where both sides are, then every update of either, newest first. */
export function historyLines(view: HistoryView, now: Instant, isWide: boolean, paint: Paint = plain): readonly string[] {
  const { member, namespace, name, controlPlane, dataPlane } = view
  const header = ['SIDE', 'VERSION', 'STATE', 'STARTED', 'ENDED', 'TOOK', ...(isWide ? ['IMAGE'] : [])]
  const rows = [...rowsOf('management', controlPlane, isWide), ...rowsOf('data plane', dataPlane, isWide)]
  return [
    `${member === undefined ? '' : `${member}/`}${namespace}/${name}`,
    `Management side: ${controlPlane === undefined ? unreported : sentence(controlPlane, view, now, paint)}`,
    `Data plane:      ${dataPlane === undefined ? 'has not been started' : sentence(dataPlane, view, now, paint)}`,
    ...(rows.length === 0 ? [] : ['', ...tableLines(header, rows, paint)]),
  ]
}

const unreported =
  'nothing reports its version (status.controlPlaneVersion). It comes with the first pass of its operator;' +
  ' for one that is older than that field, run windlass operator --controllers control-plane-version'

/** How each state reads, before the version. */
const words: Readonly<Record<RolloutState, string>> = {
  Completed: 'runs',
  Progressing: 'is on its way to',
  Paused: 'is paused on its way to',
  Stalled: 'has stalled on its way to',
  Unknown: 'is on its way to',
}

function sentence({ state, target, since, active }: SideView, { name }: HistoryView, now: Instant, paint: Paint): string {
  const version = target === '' ? 'a version that is not known yet' : target
  const time = parseTime(since)
  const age = time === undefined ? '' : state === 'Completed' ? ` since ${since}` : `, for ${shortDuration(now - time)} now`
  const running = active === undefined ? 'what runs there is not known' : `may run: ${active.join(', ')}`
  const advice = state === 'Stalled' ? `; windlass status ${name} says what it waits for` : ''
  return `${paint(words[state], stateCell(state).colour)} ${version}${age}${state === 'Completed' ? '' : ` (${running})${advice}`}`
}

function rowsOf(side: string, view: SideView | undefined, isWide: boolean): readonly (readonly Cell[])[] {
  return (view?.history ?? []).map((update) => [
    side,
    update.version ?? '?',
    stateCell(stateOf(update), update.outcome),
    update.startedTime,
    update.completionTime ?? '-',
    update.durationSeconds === undefined ? '-' : shortDuration(update.durationSeconds * 1000),
    ...(isWide ? [update.digest ?? update.image] : []),
  ])
}

/** The API's own word, and what it does not say: Partial is what runs and what never got there. */
function stateOf({ state, outcome }: UpdateView): string {
  return outcome === 'completed' ? state : `${state}, ${outcome}`
}
