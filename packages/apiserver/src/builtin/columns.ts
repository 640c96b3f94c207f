import type { Instant } from '@windlass/core'
import type { Json, JsonObject } from '../json.ts'
import type { ComputedColumn } from '../registry/resource.ts'
import { metadataOf, objectIn, objectsIn, textIn, textsIn } from './tree.ts'

/** Building blocks of the tables that `kubectl get` prints. The name comes first by itself. */

type Cell = (object: JsonObject, now: Instant) => Json

interface ColumnOptions {
  readonly type?: string
  /** 1: only with `-o wide`. */
  readonly priority?: number
}

export function column(
  name: string,
  description: string,
  cell: Cell,
  { type = 'string', priority = 0 }: ColumnOptions = {},
): ComputedColumn {
  return { name, type, description, priority, cell }
}

export function wide(name: string, description: string, cell: Cell): ComputedColumn {
  return column(name, description, cell, { priority: 1 })
}

export const ageColumn = column('Age', 'Time since the object was created.', (object) => ({
  age: textIn(metadataOf(object).creationTimestamp),
}))

export const orNone = (text: string): string => (text === '' ? '<none>' : text)

/** `a=b,c=d`, sorted, as labels are printed. */
export function labelsText(labels: Json | undefined): string {
  const pairs = Object.entries(objectIn(labels)).map(([key, value]) => `${key}=${textIn(value)}`)
  return orNone(pairs.toSorted().join(','))
}

/** A label selector in the notation of queries. */
export function selectorText(selector: Json | undefined): string {
  const { matchLabels, matchExpressions } = objectIn(selector)
  const labels = Object.entries(objectIn(matchLabels)).map(([key, value]) => `${key}=${textIn(value)}`)
  const expressions = objectsIn(matchExpressions).map(({ key, operator, values }) =>
    expressionText(textIn(key), textIn(operator), textsIn(values)),
  )
  return orNone([...labels.toSorted(), ...expressions].join(','))
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  if (operator === 'Exists') return key
  if (operator === 'DoesNotExist') return `!${key}`
  return `${key} ${operator === 'NotIn' ? 'notin' : 'in'} (${values.toSorted().join(',')})`
}

/** Names and images of a pod template's containers, shown by all workloads when there is room. */
export function containerColumns(podSpec: (object: JsonObject) => JsonObject): readonly ComputedColumn[] {
  const joined = (object: JsonObject, field: string): string =>
    objectsIn(podSpec(object).containers)
      .map((container) => textIn(container[field]))
      .join(',')
  return [
    wide('Containers', 'Names of each container in the template.', (object) => joined(object, 'name')),
    wide('Images', 'Images referenced by each container in the template.', (object) => joined(object, 'image')),
  ]
}
