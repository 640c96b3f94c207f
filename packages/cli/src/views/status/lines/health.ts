import { stateCell } from '../../states.ts'
import { tableLines } from '../../table.ts'
import { wants } from '../details.ts'
import { isSerious } from '../health.ts'
import type { HealthView, StatusView } from '../view.ts'
import { type Layout, sinceWords, stateWords } from './layout.ts'

const title = '= Update Health ='
const header = ['SINCE', 'LEVEL', 'IMPACT', 'MESSAGE']

/** What is wrong, or that nothing is. */
export function healthLines({ health, controlPlane }: StatusView, layout: Layout): readonly string[] {
  const { now, details, paint } = layout
  const [first] = health
  if (first === undefined) {
    const fine = [sinceWords(controlPlane.times.startedAt, now), stateCell('Info'), 'None', 'Update is proceeding well']
    return [title, ...tableLines(header, [fine], paint)]
  }
  if (wants(details, 'health')) return [title, ...health.flatMap((view, index) => (index === 0 ? [] : ['']).concat(blockOf(view, layout)))]
  const rows = health.map(({ since, level, impact, summary }) => [sinceWords(since, now), stateCell(level), impact, oneLine(summary)])
  const isWorthMore = health.length > 1 || first.level !== 'Info'
  return [title, ...tableLines(header, rows, paint), ...(isWorthMore ? footer : [])]
}

/** What somebody has to do something about also at rest: the release that was asked for is refused. */
export function restingLines({ cluster, health }: StatusView, layout: Layout): readonly string[] {
  // A hosted cluster whose release is refused counts as updating: it has a section for it.
  if (cluster !== undefined) return []
  const line = ({ since, level, summary }: HealthView): string =>
    `${stateWords(level, layout)} since ${sinceWords(since, layout.now)}: ${oneLine(summary)}`
  return health.filter(isSerious).map(line)
}

const footer = ['', 'Run with --details=health for additional description and links to related online documentation']

const indent = '  '
const labels = 13

function blockOf({ since, level, impact, summary, description, reference, resources }: HealthView, layout: Layout): readonly string[] {
  const line = (label: string, text: string): string => `${indent}${`${label}:`.padEnd(labels)}${text}`.trimEnd()
  const [first = '', ...rest] = description.split('\n')
  return [
    `Message: ${oneLine(summary)}`,
    line('Since', sinceWords(since, layout.now)),
    line('Level', stateWords(level, layout)),
    line('Impact', impact),
    ...(reference === undefined ? [] : [line('Reference', reference)]),
    ...(resources.length === 0 ? [] : [line('Resources', ''), ...resourceLines(resources)]),
    ...(description === '' ? [] : [line('Description', first), ...rest.map((text) => `${indent}${' '.repeat(labels)}${text}`.trimEnd())]),
  ]
}

/** One line per kind of object: `nodes: a, b`. */
function resourceLines(resources: HealthView['resources']): readonly string[] {
  const byKind = Map.groupBy(resources, ({ group = '', resource }) => (group === '' ? resource : `${resource}.${group}`))
  return Array.from(byKind, ([kind, objects]) => {
    const names = objects.map(({ namespace = '', name }) => (namespace === '' ? name : `${namespace}/${name}`))
    return `${indent}${indent}${kind}: ${names.join(', ')}`
  })
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
