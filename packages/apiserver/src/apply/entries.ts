import { equalJson, isArray, isObject, type Json, type JsonArray, type JsonObject, type MutableObject } from '../json.ts'
import { isFieldTree, noFields, sorted, union, type Fields } from './fields.ts'
import { normalElement } from './path-element.ts'

/** One manager's entry in `metadata.managedFields`. */
export interface Entry {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
  /** When the manager last changed something; absent when it only ever agreed with what was there. */
  readonly time: string | undefined
  readonly fields: Fields
  /** The entry as it is stored; absent when it has changed since. */
  readonly stored?: JsonObject
}

/** Two entries with the same identity are one. Appliers stay themselves through versions, updaters do not. */
export function identity({ manager, operation, apiVersion, subresource }: Omit<Entry, 'time' | 'fields'>): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource])
}

export function storedEntries(object: JsonObject | undefined): JsonArray {
  const metadata = object?.metadata
  const entries = isObject(metadata) ? metadata.managedFields : undefined
  return isArray(entries) ? entries : []
}

/** Entries as this server wrote them: trusted, and not looked into. */
export function readStored(stored: JsonArray): readonly Entry[] {
  return stored.flatMap((entry) => {
    const read = isObject(entry) ? readEntry(entry) : undefined
    return read === undefined ? [] : [read]
  })
}

function readEntry(stored: JsonObject): Entry | undefined {
  const { manager, operation, apiVersion, subresource, time, fieldsType, fieldsV1 } = stored
  if (
    (operation !== 'Apply' && operation !== 'Update') ||
    typeof apiVersion !== 'string' ||
    apiVersion === '' ||
    fieldsType !== 'FieldsV1'
  ) {
    return undefined
  }
  return {
    manager: typeof manager === 'string' ? manager : '',
    operation,
    apiVersion,
    subresource: typeof subresource === 'string' ? subresource : '',
    time: typeof time === 'string' ? time : undefined,
    fields: isObject(fieldsV1) ? fieldsV1 : noFields,
    stored,
  }
}

/** What a client says about `managedFields`: to forget them, nothing of use (`undefined`), or entries of its own. */
export function readSent(sent: Json | undefined): 'reset' | readonly Entry[] | undefined {
  if (!isArray(sent) || sent.length === 0) return undefined
  if (sent.length === 1 && equalJson(sent[0], {})) return 'reset'
  const entries = new Map<string, Entry>()
  for (const entry of sent) {
    const read = isObject(entry) ? readEntry(entry) : undefined
    const fields = read === undefined ? undefined : normalFields(read.fields)
    if (read === undefined || fields === undefined) return undefined
    const { stored: _, ...known } = read
    entries.set(identity(read), { ...known, fields })
  }
  return [...entries.values()]
}

/** A client's fields in our spelling, without elements of unknown kinds; `undefined` when they cannot be read. */
function normalFields(fields: Fields): Fields | undefined {
  if (!isFieldTree(fields)) return undefined
  try {
    return normalChildren(fields)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function normalChildren(fields: Fields): Fields {
  const result: MutableObject = {}
  for (const [element, below] of Object.entries(fields)) {
    const name = element === '.' ? element : normalElement(element)
    if (name !== undefined && isObject(below)) result[name] = normalChildren(below)
  }
  return result
}

const mostUpdaters = 10

/**
 * Folds the oldest Update entries into one per version, so that an object that many touch does not grow without end.
 */
export function folded(entries: readonly Entry[]): readonly Entry[] {
  const updaters = entries.filter(({ operation }) => operation === 'Update')
  if (updaters.length <= mostUpdaters) return entries
  updaters.sort((a, b) => compareText(a.time ?? '', b.time ?? '') || compareText(identity(a), identity(b)))
  const kept = new Map(entries.map((entry) => [identity(entry), entry]))
  const oldest = new Map<string, Entry>()
  let count = updaters.length
  for (const entry of updaters) {
    if (count <= mostUpdaters) break
    const first = oldest.get(entry.apiVersion)
    if (first === undefined) {
      oldest.set(entry.apiVersion, entry)
      continue
    }
    const { stored: _, ...base } = entry
    const ancient = { ...base, manager: 'ancient-changes', subresource: '' }
    const bucket = kept.get(identity(ancient)) ?? first
    if (bucket === first) kept.delete(identity(first))
    kept.delete(identity(entry))
    kept.set(identity(ancient), { ...ancient, fields: union(entry.fields, bucket.fields) })
    count--
  }
  return [...kept.values()]
}

/**
 * Entries in the order and form in which they are stored. Unchanged ones are the same references, and so is the whole list when nothing
 * changed.
 */
export function writeEntries(entries: readonly Entry[], before: JsonArray): JsonArray {
  const ordered = entries.toSorted(
    (a, b) =>
      compareText(a.operation, b.operation) ||
      compareText(a.time ?? '', b.time ?? '') ||
      compareText(a.manager, b.manager) ||
      compareText(a.apiVersion, b.apiVersion) ||
      compareText(a.subresource, b.subresource),
  )
  const written = ordered.map(writeEntry)
  const isSame = written.length === before.length && written.every((entry, index) => entry === before[index])
  return isSame ? before : written
}

function writeEntry({ manager, operation, apiVersion, subresource, time, fields, stored }: Entry): JsonObject {
  if (stored !== undefined) return stored
  return {
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: sorted(fields),
    ...(subresource === '' ? {} : { subresource }),
  }
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The entry with other fields; the same entry when they are the same. */
export function withFields(entry: Entry, fields: Fields): Entry {
  if (entry.fields === fields) return entry
  const { stored: _, ...rest } = entry
  return { ...rest, fields }
}

/** The object with these entries, or without any when there are none. */
export function withEntries(object: JsonObject, entries: JsonArray): JsonObject {
  const metadata = isObject(object.metadata) ? object.metadata : {}
  if (entries.length === 0) {
    if (!Object.hasOwn(metadata, 'managedFields')) return object
    const { managedFields: _, ...rest } = metadata
    return { ...object, metadata: rest }
  }
  return metadata.managedFields === entries ? object : { ...object, metadata: { ...metadata, managedFields: entries } }
}
