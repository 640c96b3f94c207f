import type { Instant } from '@windlass/core'
import { badRequest } from '../errors/api-error.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { ResourceType, ResourceVersion } from '../registry/resource.ts'
import { type ColumnDefinition, columnsFor } from './columns.ts'
import { partialObject } from './partial.ts'

/** How much of its object each row of a Table carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

/** Version of `meta.k8s.io` in which a Table or partial object is written. */
export type MetaVersion = 'v1' | 'v1beta1'

export interface TableOptions {
  readonly now: Instant
  readonly includeObject?: IncludeObject
  readonly version?: MetaVersion
}

/** The query parameter `includeObject`. Errors: 400 for a word it does not know. */
export function parseIncludeObject(text: string | undefined): IncludeObject {
  if (text === undefined || text === '') return 'Metadata'
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text
  throw badRequest(`unrecognized includeObject value: ${JSON.stringify(text)}`)
}

export function tableColumns(type: ResourceType, version: ResourceVersion): readonly ColumnDefinition[] {
  return columnsFor(type, version).map(({ definition }) => definition)
}

export function tableRow(type: ResourceType, version: ResourceVersion, object: JsonObject, options: TableOptions): JsonObject {
  const cells = columnsFor(type, version).map(({ cell }) => cell(object, options.now))
  return { cells, object: rowObject(object, options) }
}

function rowObject(object: JsonObject, { includeObject = 'Metadata', version = 'v1' }: TableOptions): Json {
  if (includeObject === 'None') return null
  return includeObject === 'Object' ? object : partialObject(object, version)
}

/**
 * A whole Table: the answer to a get (one object), a list (its items and its `metadata`), a create or a patch.
 * `metadata` is that of the list, or of the object reduced to its revision.
 */
export function tableOf(
  type: ResourceType,
  version: ResourceVersion,
  objects: readonly JsonObject[],
  metadata: JsonObject,
  options: TableOptions,
): JsonObject {
  const rows = objects.map((object) => tableRow(type, version, object, options))
  return { ...head(options, metadata), columnDefinitions: definitions(type, version), rows }
}

/** The Table of one object: its revision is the Table's. */
export function objectTable(type: ResourceType, version: ResourceVersion, object: JsonObject, options: TableOptions): JsonObject {
  return tableOf(type, version, [object], revisionOf(object), options)
}

/**
 * Makes the Tables of one watch: one row per event, and the columns only in the first, as clients remember them. A bookmark, which is
 * an object without a name, is a Table without rows.
 */
export function watchTables(type: ResourceType, version: ResourceVersion): (object: JsonObject, options: TableOptions) => JsonObject {
  let isFirst = true
  return (object, options) => {
    const columnDefinitions = isFirst ? definitions(type, version) : null
    isFirst = false
    const isBookmark = !isObject(object.metadata) || object.metadata.name === undefined
    const rows = isBookmark ? [] : [tableRow(type, version, object, options)]
    return { ...head(options, revisionOf(object)), columnDefinitions, rows }
  }
}

function head({ version = 'v1' }: TableOptions, metadata: JsonObject): JsonObject {
  return { kind: 'Table', apiVersion: `meta.k8s.io/${version}`, metadata }
}

function definitions(type: ResourceType, version: ResourceVersion): readonly JsonObject[] {
  return tableColumns(type, version).map((definition) => ({ ...definition }))
}

function revisionOf(object: JsonObject): JsonObject {
  const revision = isObject(object.metadata) ? object.metadata.resourceVersion : undefined
  return revision === undefined ? {} : { resourceVersion: revision }
}
