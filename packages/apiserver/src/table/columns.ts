import { formatTime, type Instant, parseTime } from '@windlass/core'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { ComputedColumn, PathColumn, ResourceType, ResourceVersion } from '../registry/resource.ts'
import { ageOf } from './age.ts'
import { pathCell } from './path-cell.ts'

/** The head of a column, as a Table tells it. */
export interface ColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

export interface Column {
  readonly definition: ColumnDefinition
  readonly cell: (object: JsonObject, now: Instant) => Json
}

const nameColumn: Column = {
  definition: {
    name: 'Name',
    type: 'string',
    format: 'name',
    description:
      'The name of the object: unique among the objects of its kind in its namespace, chosen when it is created and never changed.',
    priority: 0,
  },
  cell: (object) => metadataText(object, 'name') ?? '',
}

const creation = 'When the server created the object, in RFC 3339 and UTC. Set by the server; clients cannot change it.'

const ageColumn: Column = {
  definition: { name: 'Age', type: 'date', format: '', description: creation, priority: 0 },
  cell: (object, now) => ageOf(metadataText(object, 'creationTimestamp'), now),
}

const createdAtColumn: Column = {
  definition: { name: 'Created At', type: 'date', format: '', description: creation, priority: 0 },
  cell: (object) => {
    const created = parseTime(metadataText(object, 'creationTimestamp'))
    return created === undefined ? '<unknown>' : formatTime(created)
  },
}

const columnsOf = new WeakMap<ResourceVersion, readonly Column[]>()

/** The columns in which a type is printed: always a name, then what it declares, or its age when it declares nothing. */
export function columnsFor(type: ResourceType, version: ResourceVersion): readonly Column[] {
  const known = columnsOf.get(version)
  if (known !== undefined) return known
  const columns = compileColumns(type, version)
  columnsOf.set(version, columns)
  return columns
}

function compileColumns(type: ResourceType, version: ResourceVersion): readonly Column[] {
  if (version.columns.length === 0) return [nameColumn, type.isCustom ? ageColumn : createdAtColumn]
  const own = version.columns.map((column) => ('cell' in column ? computed(column) : byPath(column)))
  // Built-in kinds may place their name themselves (Events show it last); for custom resources it always comes first.
  const hasName = version.columns.some((column) => 'cell' in column && column.format === 'name')
  return hasName ? own : [nameColumn, ...own]
}

function byPath(column: PathColumn): Column {
  const description = column.description ?? ''
  return {
    definition: {
      name: column.name,
      type: column.type,
      format: column.format ?? '',
      description: description === '' ? `Custom resource definition column (in JSONPath format): ${column.jsonPath}` : description,
      priority: column.priority ?? 0,
    },
    cell: pathCell(column),
  }
}

function computed({ name, type, format = '', description, priority, cell }: ComputedColumn): Column {
  return {
    definition: { name, type, format, description, priority },
    cell: (object, now) => {
      const value = cell(object, now)
      if (!isObject(value) || !('age' in value)) return value
      return ageOf(typeof value.age === 'string' ? value.age : undefined, now)
    },
  }
}

function metadataText(object: JsonObject, field: string): string | undefined {
  const value = isObject(object.metadata) ? object.metadata[field] : undefined
  return typeof value === 'string' ? value : undefined
}
