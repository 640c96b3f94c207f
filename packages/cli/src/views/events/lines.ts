import type { EventView } from '@windlass/fleet'
import { type Paint, plain } from '../colours.ts'
import { type Cell, tableLines } from '../table.ts'
import { withoutMember } from '../fleet/find.ts'
import { placeText } from '../why/lines.ts'

const header = ['TIME', 'TYPE', 'CLUSTER', 'REASON', 'OBJECT', 'MESSAGE'] as const

const wideHeader = [...header.slice(0, -1), 'COUNT', 'SOURCE', 'MESSAGE']

/** Where columns begin when lines come one by one, and nobody knows what comes next. */
const widths = [20, 7, 24, 26, 48]
const wideWidths = [...widths, 5, 34]

export interface EventLayout {
  readonly isWide?: boolean
  /** Whether it matters which member a cluster is of. */
  readonly hasMembers?: boolean
  readonly paint?: Paint
}

/** Events as a table. */
export function eventTable(
  events: readonly EventView[],
  { isWide = false, hasMembers = false, paint = plain }: EventLayout = {},
): readonly string[] {
  return tableLines(
    isWide ? wideHeader : [...header],
    events.map((event) => cells(event, isWide, hasMembers)),
    paint,
  )
}

/** One event as a line; `eventHeading` stands above the first. */
export function eventLine(event: EventView, { isWide = false, hasMembers = false, paint = plain }: EventLayout = {}): string {
  const row = cells(event, isWide, hasMembers)
  return row
    .map((cell, column) => {
      const { text, colour } = typeof cell === 'string' ? { text: cell } : cell
      return paint(text, colour) + ' '.repeat(Math.max(0, widthOf(column, isWide) - text.length))
    })
    .join('   ')
    .trimEnd()
}

export function eventHeading({ isWide = false }: Pick<EventLayout, 'isWide'> = {}): string {
  return (isWide ? wideHeader : header).map((name, column) => name.padEnd(widthOf(column, isWide))).join('   ')
}

function widthOf(column: number, isWide: boolean): number {
  return (isWide ? wideWidths : widths)[column] ?? 0
}

function cells(
  { time, type, cluster, reason, object, message, count, source = '' }: EventView,
  isWide: boolean,
  hasMembers: boolean,
): readonly Cell[] {
  const line = message.replaceAll(/\s*\n\s*/g, ' ')
  const kind: Cell = type === 'Warning' ? { text: type, colour: 'yellow' } : type
  return [
    time,
    kind,
    hasMembers ? cluster : withoutMember(cluster),
    reason,
    placeText(object),
    ...(isWide ? [String(count), source] : []),
    isWide || count <= 1 ? line : `${line} (${count} times)`,
  ]
}
