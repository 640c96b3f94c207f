import type { PoolSkew } from '@windlass/hosted'
import { type Paint, plain } from '../colours.ts'
import { stateCell } from '../states.ts'
import { type Cell, tableLines } from '../table.ts'
import type { PlanView, SkewView, WindowView } from './skew.ts'

/** The same for people: where everything is, then how to get to where somebody wants to go. */
export function skewLines(view: SkewView, isWide = false, paint: Paint = plain): readonly string[] {
  const { member, namespace, name, pools, plan } = view
  const header = ['POOL', 'VERSION', 'ALLOWED', ...(isWide ? ['MAY MOVE TO'] : []), 'VERDICT', ...(isWide ? ['WHY'] : [])]
  const rows = pools.map((pool): readonly Cell[] => [
    pool.name,
    versionOf(pool),
    allowed(view.tolerated),
    ...(isWide ? [view.safe?.isEmpty === true ? 'nowhere' : allowed(view.safe)] : []),
    ...(isWide ? [stateCell(pool.verdict), pool.explanation] : [verdictOf(pool)]),
  ])
  return [
    `${member === undefined ? '' : `${member}/`}${namespace}/${name}`,
    ...controlPlaneLines(view),
    ...(rows.length === 0 ? ['It has no node pools.'] : ['', ...tableLines(header, rows, paint)]),
    ...(plan === undefined ? [] : ['', ...planLines(plan, paint)]),
  ]
}

function controlPlaneLines({ active, tolerated, safe, policy, source }: SkewView): readonly string[] {
  if (active === undefined || tolerated === undefined || safe === undefined)
    return ['Control plane: what runs there is not known yet, so nothing can be judged']
  const moves = safe.isEmpty ? 'nowhere before its update is complete' : `to ${spelled(safe)}`
  return [
    `Control plane: may run ${active.join(', ')} (by ${source})`,
    `Nodes:         may run ${spelled(tolerated)}, and move ${moves} (by policy ${policy})`,
  ]
}

const spelled = ({ min, max }: WindowView): string => `${min} to ${max}`

function allowed(window: WindowView | undefined): string {
  return window === undefined ? '?' : `${window.min} .. ${window.max}`
}

/** A pool that is being upgraded has several. */
function versionOf({ version = '-', versions }: PoolSkew): string {
  const others = versions.filter((other) => other !== version)
  return others.length === 0 ? version : `${version} (also ${others.join(', ')})`
}

function verdictOf({ verdict, isAtEdge, explanation }: PoolSkew): Cell {
  if (verdict !== 'Supported') return stateCell(`${verdict}: ${explanation}`, verdict)
  return isAtEdge ? { text: 'Supported, as old as it may be', colour: 'yellow' } : stateCell('Supported')
}

function planLines({ to, moves, problems, leftBehind }: PlanView, paint: Paint): readonly string[] {
  const rows = moves.map((move, index) => [
    `${index + 1}`,
    move.of === 'control-plane' ? 'control plane' : `pool ${(move.pools ?? []).join(', ')}`,
    move.to,
    move.because,
  ])
  return [
    leftBehind.length === 0
      ? `The control plane can go to ${to} without leaving a pool behind.`
      : `A control plane at ${to} would leave behind: ${leftBehind.join(', ')}.`,
    ...(rows.length === 0 ? [] : ['', ...tableLines(['STEP', 'WHAT', 'TO', 'WHY'], rows)]),
    ...problems.map((problem) => `${paint('Problem', 'red')}: ${problem}`),
  ]
}
