import { isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'

/**
 * A set of fields of an object, in the very form in which `managedFields` keep it (FieldsV1): a tree whose keys are path elements
 * (`f:spec`, `k:{"type":"Ready"}`, `v:"x"`).
 *
 * A node stands for the field itself when it has a `.` or nothing at all below it; otherwise it only leads to fields below. The root is no
 * field: an empty root is the empty set.
 *
 * Because the stored form is the working form, nothing is parsed on a write, and a set that an operation does not change is the same
 * reference afterwards.
 */
export type Fields = JsonObject

export const noFields: Fields = {}

/** The node of a field without fields below it. */
export const leaf: Fields = {}

/** Below a node: the field that it leads to is in the set. */
export const self = '.'

export function isEmpty(set: Fields): boolean {
  for (const _ in set) return false
  return true
}

export function child(set: Fields, element: string): Fields | undefined {
  const node = Object.hasOwn(set, element) ? set[element] : undefined
  return isObject(node) ? node : undefined
}

/** Whether the node stands for the field it leads to. */
export function isMember(node: Fields): boolean {
  return Object.hasOwn(node, self) || isEmpty(node)
}

/** Whether there are fields below a node. */
export function hasChildren(node: Fields): boolean {
  for (const key in node) if (key !== self) return true
  return false
}

/** A node from its parts; `undefined` when it would hold no field. */
export function node(isField: boolean, children: Fields | undefined): Fields | undefined {
  if (children === undefined || isEmpty(children)) return isField ? leaf : undefined
  return isField ? { [self]: leaf, ...children } : children
}

/** The fields below a node, without the node itself. */
function below(set: Fields): Fields {
  if (!Object.hasOwn(set, self)) return set
  const { [self]: _, ...children } = set
  return children
}

/** Calls `visit` for every child of a node: its path element and what is below. */
export function eachChild(set: Fields, visit: (element: string, node: Fields) => void): void {
  for (const element in set) {
    const below = set[element]
    if (element !== self && isObject(below)) visit(element, below)
  }
}

export function union(a: Fields, b: Fields): Fields {
  let result: MutableObject | undefined
  eachChild(b, (element, theirs) => {
    const ours = child(a, element)
    const merged = ours === undefined ? theirs : unionNodes(ours, theirs)
    if (merged === ours) return
    result ??= { ...a }
    result[element] = merged
  })
  return result ?? a
}

function unionNodes(a: Fields, b: Fields): Fields {
  if (a === b) return a
  const both = union(a, b)
  const isMarked = Object.hasOwn(both, self) || !(isMember(a) || isMember(b))
  return isMarked || isEmpty(both) ? both : { [self]: leaf, ...both }
}

/** `a` without the fields of `b`; fields below those of `b` stay. */
export function difference(a: Fields, b: Fields): Fields {
  return reduced(a, b, (ours, theirs) => {
    const rest = difference(ours, theirs)
    const wasField = isMember(ours)
    const isField = wasField && !isMember(theirs)
    return rest === ours && isField === wasField ? ours : node(isField, below(rest))
  })
}

/** `a` without the fields of `b` and everything below them. */
export function without(a: Fields, b: Fields): Fields {
  return reduced(a, b, (ours, theirs) => {
    if (isMember(theirs)) return undefined
    const rest = without(ours, theirs)
    return rest === ours ? ours : node(isMember(ours), below(rest))
  })
}

/** `a` with what `reduce` leaves of every child that it shares with `b`. */
function reduced(a: Fields, b: Fields, reduce: (ours: Fields, theirs: Fields) => Fields | undefined): Fields {
  const rests = new Map<string, Fields | undefined>()
  eachShared(a, b, (element, ours, theirs) => {
    const rest = reduce(ours, theirs)
    if (rest !== ours) rests.set(element, rest)
  })
  if (rests.size === 0) return a
  // Made anew: objects with deleted keys are slow for whoever reads them.
  const result: MutableObject = {}
  for (const element in a) {
    const rest = rests.has(element) ? rests.get(element) : a[element]
    if (rest !== undefined) result[element] = rest
  }
  return result
}

export function intersection(a: Fields, b: Fields): Fields {
  const result: MutableObject = {}
  eachShared(a, b, (element, ours, theirs) => {
    const shared = node(isMember(ours) && isMember(theirs), intersection(ours, theirs))
    if (shared !== undefined) result[element] = shared
  })
  return result
}

function eachShared(a: Fields, b: Fields, visit: (element: string, ours: Fields, theirs: Fields) => void): void {
  eachChild(b, (element, theirs) => {
    const ours = child(a, element)
    if (ours !== undefined) visit(element, ours, theirs)
  })
}

export function has(set: Fields, path: readonly string[]): boolean {
  let at: Fields | undefined = set
  for (const element of path) {
    at = child(at, element)
    if (at === undefined) return false
  }
  return path.length > 0 && isMember(at)
}

/** The set of one field, by the names that lead to it. */
export function fieldAt(path: readonly string[]): Fields {
  return path.reduceRight<Fields>((below, name) => ({ [`f:${name}`]: below }), leaf)
}

/** Every field of a set, a field before those below it. */
export function* paths(set: Fields, prefix: readonly string[] = []): Generator<readonly string[]> {
  const elements = Object.keys(set).filter((element) => element !== self)
  elements.sort()
  for (const element of elements) if (isMember(child(set, element) ?? leaf)) yield [...prefix, element]
  for (const element of elements) yield* paths(child(set, element) ?? leaf, [...prefix, element])
}

/** The same set with keys in the order in which real servers write them; the same reference where they are. */
export function sorted(set: Fields): Fields {
  return isSorted(set) ? set : inOrder(set)
}

function isSorted(set: Fields): boolean {
  let last = ''
  for (const element in set) {
    if (element < last || !isSorted(child(set, element) ?? leaf)) return false
    last = element
  }
  return true
}

function inOrder(set: Fields): Fields {
  const elements = Object.keys(set)
  sortInPlace(elements)
  const result: MutableObject = {}
  for (const element of elements) result[element] = sorted(child(set, element) ?? leaf)
  return result
}

/** By insertion: these are a handful each, and `sort` takes longer to set itself up than this takes. */
export function sortInPlace(elements: string[]): void {
  if (elements.length > 32) {
    elements.sort()
    return
  }
  for (let index = 1; index < elements.length; index++) {
    const element = elements[index] ?? ''
    let at = index
    for (; at > 0 && (elements[at - 1] ?? '') > element; at--) elements[at] = elements[at - 1] ?? ''
    elements[at] = element
  }
}

/** Whether a value can be a set at all: objects all the way down. */
export function isFieldTree(value: Json | undefined): value is Fields {
  return isObject(value) && Object.values(value).every(isFieldTree)
}
