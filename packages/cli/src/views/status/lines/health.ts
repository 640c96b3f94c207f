import { tableLines } from '../../table.ts'
import { wants } from '../details.ts'
import type { HealthView, StatusView } from '../view.ts'
import { type Layout, sinceWords } from './layout.ts'

const title = '= Update Health ='
const header = ['SINCE', 'LEVEL', 'IMPACT', 'MESSAGE']

/** What is wrong, or that nothing is. */
export function healthLines({ health, controlPlane }: StatusView, { now, details }: Layout): readonly string[] {
  const [first] = health
  if (first === undefined) {
    return [title, ...tableLines(header, [[sinceWords(controlPlane.times.startedAt, now), 'Info', 'None', 'Update is proceeding well']])]
  }
  if (wants(details, 'health')) return [title, ...health.flatMap((view, index) => (index === 0 ? [] : ['']).concat(blockOf(view, now)))]
  const rows = health.map(({ since, level, impact, summary }) => [sinceWords(since, now), level, impact, oneLine(summary)])
  const isWorthMore = health.length > 1 || first.level !== 'Info'
  return [title, ...tableLines(header, rows), ...(isWorthMore ? footer : [])]
}

const footer = ['', 'Run with --details=health for additional description and links to related online documentation']

const indent = '  '
const labels = 13

function blockOf({ since, level, impact, summary, description, reference, resources }: HealthView, now: number): readonly string[] {
  const line = (label: string, text: string): string => `${indent}${`${label}:`.padEnd(labels)}${text}`.trimEnd()
  const [first = '', ...rest] = description.split('\n')
  return [
    `Message: ${oneLine(summary)}`,
    line('Since', sinceWords(since, now)),
    line('Level', level),
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
