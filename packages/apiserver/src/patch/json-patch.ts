import { ApiError, badRequest } from '../errors/api-error.ts'
import { equalJson, isArray, isObject, type Json, type JsonArray, type JsonObject, type MutableObject } from '../json.ts'
import { patchDoesNotFit } from './errors.ts'

/**
 * JSON patch (RFC 6902), with the liberties that real servers take and clients have come to rely on: `replace` of a missing member adds
 * it, indexes may count from the end (`/-1`), and an operation without a value means `null`.
 *
 * Written by hand because libraries for it change documents in place and keep to the letter of the RFC.
 */
const mostOperations = 10_000

/** How much all copies of one patch may add up to: each could copy what the one before it copied, and double it. */
const mostCopiedBytes = 3 * 1024 * 1024

type Pointer = readonly string[]
type Edit = (document: JsonObject, operation: JsonObject, copies: Allowance) => JsonObject

interface Allowance {
  left: number
}

export function applyJsonPatch(document: JsonObject, operations: Json): JsonObject {
  if (!isArray(operations) || !operations.every(isObject)) {
    throw badRequest('error decoding patch: json: cannot unmarshal the patch into a list of operations')
  }
  if (operations.length > mostOperations) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`
    throw new ApiError(413, 'RequestEntityTooLarge', message)
  }
  let result = document
  const copies = { left: mostCopiedBytes }
  for (const operation of operations) {
    const edit = typeof operation.op === 'string' && Object.hasOwn(edits, operation.op) ? edits[operation.op] : undefined
    if (edit === undefined) throw patchDoesNotFit()
    result = edit(result, operation, copies)
  }
  return equalJson(document, result) ? document : result
}

const edits: Readonly<Record<string, Edit>> = {
  add: (document, operation) => add(document, pointer(operation.path), operation.value ?? null),
  remove: (document, operation) => remove(document, pointer(operation.path)),
  replace: (document, operation) => replace(document, pointer(operation.path), operation.value ?? null),
  move: (document, operation) => {
    const from = pointer(operation.from)
    const value = find(document, from)
    if (value === undefined) throw patchDoesNotFit()
    return add(remove(document, from), pointer(operation.path), value)
  },
  copy: (document, operation, copies) => {
    const value = find(document, pointer(operation.from)) ?? null
    spend(copies, value)
    return add(document, pointer(operation.path), value)
  },
  test: (document, operation) => {
    if (equalJson(find(document, pointer(operation.path)) ?? null, operation.value ?? null)) return document
    throw patchDoesNotFit()
  },
}

/** Takes the size of a value, roughly that of its text, from what is left. Looks no further once nothing is: copies share their parts. */
function spend(allowance: Allowance, value: Json): void {
  allowance.left -= typeof value === 'string' ? value.length + 2 : 2
  if (allowance.left < 0) throw patchDoesNotFit()
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (!isArray(value)) allowance.left -= key.length + 2
    spend(allowance, part)
  }
}

/** Segments of a JSON pointer. Never empty: the whole document cannot be addressed. What precedes the first slash is not looked at. */
function pointer(path: Json | undefined): Pointer {
  if (typeof path !== 'string' || !path.includes('/')) throw patchDoesNotFit()
  return path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

const add = (document: JsonObject, at: Pointer, value: Json): JsonObject =>
  change(document, at, {
    member: (object, key) => withMember(object, key, value),
    element: (list, segment) => list.toSpliced(segment === '-' ? list.length : position(segment, list.length + 1), 0, value),
  })

const replace = (document: JsonObject, at: Pointer, value: Json): JsonObject =>
  change(document, at, {
    member: (object, key) => withMember(object, key, value),
    element: (list, segment) => list.with(position(segment, list.length), value),
  })

const remove = (document: JsonObject, at: Pointer): JsonObject =>
  change(document, at, {
    member: (object, key) => {
      if (!Object.hasOwn(object, key)) throw patchDoesNotFit()
      const { [key]: _, ...rest } = object
      return rest
    },
    element: (list, segment) => list.toSpliced(position(segment, list.length), 1),
  })

interface Change {
  readonly member: (object: JsonObject, key: string) => JsonObject
  readonly element: (list: JsonArray, segment: string) => JsonArray
}

/** Rebuilds the containers on the way to `at`; all of them must exist. */
function change(document: JsonObject, at: Pointer, edit: Change): JsonObject {
  const [first, ...rest] = at
  if (first === undefined) throw patchDoesNotFit()
  if (rest.length === 0) return edit.member(document, first)
  return withMember(document, first, changeInside(child(document, first), rest, edit))
}

function changeInside(container: Json | undefined, at: Pointer, edit: Change): Json {
  const [segment = '', ...rest] = at
  if (isObject(container)) {
    if (rest.length === 0) return edit.member(container, segment)
    return withMember(container, segment, changeInside(child(container, segment), rest, edit))
  }
  if (!isArray(container)) throw patchDoesNotFit()
  if (rest.length === 0) return edit.element(container, segment)
  const index = position(segment, container.length)
  return container.with(index, changeInside(container[index], rest, edit))
}

/** The value at a pointer; `undefined` when its last segment is missing. What leads there must exist. */
function find(document: JsonObject, at: Pointer): Json | undefined {
  let value: Json | undefined = document
  for (const [depth, segment] of at.entries()) {
    if (isArray(value)) value = value[position(segment, value.length)]
    else if (isObject(value)) value = child(value, segment)
    else throw patchDoesNotFit()
    if (value === undefined && depth < at.length - 1) throw patchDoesNotFit()
  }
  return value
}

function child(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function withMember(object: JsonObject, key: string, value: Json): JsonObject {
  if (key === '__proto__' || object[key] === value) return object
  const result: MutableObject = { ...object }
  result[key] = value
  return result
}

/** Index of an element; negative ones count from the end. */
function position(segment: string, length: number): number {
  if (!/^-?\d+$/.test(segment)) throw patchDoesNotFit()
  const index = Number(segment)
  const fromStart = index < 0 ? index + length : index
  if (fromStart < 0 || fromStart >= length) throw patchDoesNotFit()
  return fromStart
}
