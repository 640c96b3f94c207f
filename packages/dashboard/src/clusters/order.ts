import { parseTime } from '@windlass/core'
import type { ClusterRow } from '@windlass/fleet/contract'
import type { Column, FleetQuery } from '../address/fleet-query.ts'
import { compareVersionTexts } from '../versions/minor.ts'
import { attentions, skewVerdicts } from '../words/states.ts'

type Compare = (a: ClusterRow, b: ClusterRow) => number

const byAttention = new Map(attentions.map((each, index) => [each, index]))
const bySkew = new Map(skewVerdicts.map((each, index) => [each, index]))

/** Names as people count: `prod-2` is before `prod-10`. */
const naturals = new Map<string, string>()

function naturalOf(name: string): string {
  let natural = naturals.get(name)
  if (natural === undefined) {
    natural = name.replace(/\d+/g, (digits) => digits.padStart(12, '0'))
    naturals.set(name, natural)
  }
  return natural
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byName: Compare = (a, b) => byText(naturalOf(a.name), naturalOf(b.name))

/** One for each column, in the direction in which a first click sorts. */
const comparisons: Readonly<Record<Column, Compare>> = {
  attention: (a, b) => (byAttention.get(a.attention) ?? 0) - (byAttention.get(b.attention) ?? 0),
  name: byName,
  member: (a, b) => byText(naturalOf(a.member), naturalOf(b.member)),
  'control-plane': (a, b) => compareVersionTexts(a.controlPlane.version ?? '', b.controlPlane.version ?? ''),
  'data-plane': (a, b) => compareVersionTexts(a.dataPlane.version ?? '', b.dataPlane.version ?? ''),
  nodes: (a, b) => a.nodes.wanted - b.nodes.wanted,
  progress: (a, b) => endOf(a) - endOf(b) || doneOf(a) - doneOf(b),
  skew: (a, b) => (bySkew.get(a.skew) ?? 0) - (bySkew.get(b.skew) ?? 0),
}

/** The order of a table. Rows that are alike in its column are by name, then by id: a table never shuffles what it was not asked to sort. */
export function comparisonOf({ sort, isDescending }: Pick<FleetQuery, 'sort' | 'isDescending'>): Compare {
  const compare = comparisons[sort]
  const direction = isDescending ? -1 : 1
  return (a, b) => direction * compare(a, b) || byName(a, b) || byText(a.id, b.id)
}

/** What ends first comes first; what has no end in sight, last. */
function endOf(row: ClusterRow): number {
  return parseTime(row.estimatedEnd) ?? Number.MAX_SAFE_INTEGER
}

/** The part that is still to be done; 2 where nothing is counted. */
function doneOf({ progress }: ClusterRow): number {
  return progress === undefined || progress.total === 0 ? 2 : 1 - progress.done / progress.total
}
