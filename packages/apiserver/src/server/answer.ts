import type { Instant } from '@windlass/core'
import { type JsonObject, type MutableObject } from '../json.ts'
import type { Served } from '../registry/catalog.ts'
import type { Found, Listing } from '../registry/read.ts'
import { isVerbatim, parseStored, present, translate, typeMetaLength } from '../registry/stored.ts'
import { objectTable, partialList, partialObject, parseIncludeObject, tableOf, type TableOptions } from '../table/index.ts'
import { encodeJson, type Negotiated } from '../wire/index.ts'
import type { ApiResponse } from './request.ts'
import { scaleType, scaleVersion } from './scale-table.ts'

const json = { 'content-type': 'application/json' }

export function jsonAnswer(status: number, body: Buffer | JsonObject): ApiResponse {
  return { status, headers: json, body: Buffer.isBuffer(body) ? body : encodeJson(body) }
}

/** How a client wants to see objects. */
export interface View {
  readonly form: Negotiated
  readonly query: URLSearchParams
  readonly now: Instant
}

function tableOptions({ form, query, now }: View): TableOptions {
  return { now, includeObject: parseIncludeObject(query.get('includeObject') ?? undefined), version: form.version }
}

/** One object, in the form that was asked for. */
export function objectAnswer(status: number, served: Served, bytes: Buffer, view: View): ApiResponse {
  const { as } = view.form
  if (as === undefined) return jsonAnswer(status, bytes)
  const object = parseStored(bytes)
  if (as === 'Table') return jsonAnswer(status, objectTable(served.type, served.version, object, tableOptions(view)))
  return jsonAnswer(status, partialObject(object, view.form.version))
}

export function scaleAnswer(scale: JsonObject, view: View): ApiResponse {
  const { as } = view.form
  if (as === undefined) return jsonAnswer(200, scale)
  return jsonAnswer(
    200,
    as === 'Table' ? objectTable(scaleType, scaleVersion, scale, tableOptions(view)) : partialObject(scale, view.form.version),
  )
}

/** A list, in the form that was asked for. Plain ones are spliced from stored bytes and made while they are sent. */
export function listAnswer(served: Served, listing: Listing, view: View): ApiResponse {
  const { as, version } = view.form
  if (as === undefined) {
    const body = whole(plainList(served, listing))
    return { status: 200, headers: json, body, ...(Buffer.isBuffer(body) ? {} : { release: listing.close }) }
  }
  const objects: JsonObject[] = []
  for (const chunk of listing.chunks) for (const found of chunk) objects.push(objectOf(served, found))
  const metadata = listMetadata(listing)
  if (as === 'Table') return jsonAnswer(200, tableOf(served.type, served.version, objects, metadata, tableOptions(view)))
  return jsonAnswer(200, partialList(objects, metadata, version))
}

function objectOf(served: Served, { entry, object }: Found): JsonObject {
  if (object !== undefined) return object
  const stored = parseStored(entry.bytes)
  return isVerbatim(served, entry) ? stored : translate(served, stored)
}

function listMetadata(listing: Listing): JsonObject {
  const metadata: MutableObject = { resourceVersion: String(listing.revision) }
  const end = listing.end()
  if (end.continue !== undefined) metadata.continue = end.continue
  if (end.remaining !== undefined) metadata.remainingItemCount = end.remaining
  return metadata
}

const comma = Buffer.from(',')
const brace = Buffer.from('{')

/** Metadata comes last: only then is it known whether there is another page. */
function* plainList(served: Served, listing: Listing): Iterable<Buffer> {
  const { type, apiVersion } = served
  // Items of built-in lists carry no apiVersion and kind; it has always been so.
  const cut = type.isCustom ? 0 : typeMetaLength(apiVersion, type.kind)
  let pieces: Buffer[] = [Buffer.from(`{"kind":${JSON.stringify(type.listKind)},"apiVersion":${JSON.stringify(apiVersion)},"items":[`)]
  let isFirst = true
  for (const chunk of listing.chunks) {
    for (const { entry } of chunk) {
      if (!isFirst) pieces.push(comma)
      isFirst = false
      const bytes = present(served, entry)
      if (cut === 0) pieces.push(bytes)
      else pieces.push(brace, bytes.subarray(1 + cut))
    }
    yield Buffer.concat(pieces)
    pieces = []
  }
  pieces.push(Buffer.from(`],"metadata":${JSON.stringify(listMetadata(listing))}}\n`))
  yield Buffer.concat(pieces)
}

/** A list of one chunk is sent in one piece, with its length. */
function whole(pieces: Iterable<Buffer>): Buffer | Iterable<Buffer> {
  const iterator = pieces[Symbol.iterator]()
  const [first, second] = [iterator.next(), iterator.next()]
  if (first.done === true) return Buffer.alloc(0)
  if (second.done === true) return first.value
  const third = iterator.next()
  if (third.done === true) return Buffer.concat([first.value, second.value])
  return (function* () {
    yield first.value
    yield second.value
    yield third.value
    yield* { [Symbol.iterator]: () => iterator }
  })()
}

/** The Status of a deletion that is done. */
export function deletedStatus(served: Served, name: string, uid: string): JsonObject {
  const { group, resource } = served.type
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group === '' ? {} : { group }), kind: resource, uid },
  }
}
