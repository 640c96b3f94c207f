import type { KubernetesObject } from '@windlass/api'
import { type FieldPath, isWithin, parseFieldPath } from './field-path.ts'

/** Makes of an object what is kept of it. The same object when that is all of it; what it has in common with the object is shared. */
export type Projection = <T extends KubernetesObject>(object: T) => T

/** What a declaration says about fields. */
export interface FieldChoice {
  readonly keeps?: readonly string[]
  readonly drops?: readonly string[]
}

const alwaysKept = ['apiVersion', 'kind', 'metadata']
const alwaysDropped: FieldPath = ['metadata', 'managedFields']
/** The cache itself cannot do without them. */
const needed: readonly FieldPath[] = [
  ['apiVersion'],
  ['kind'],
  ...['name', 'namespace', 'uid', 'resourceVersion'].map((name) => ['metadata', name]),
]

/**
 * The projection for several declarations that share their objects: a field stays if any of them wants it.
 *
 * Throws when a path cannot be read, or drops what identifies an object.
 */
export function projectionOf(choices: readonly FieldChoice[]): Projection {
  const keeps = choices.every((choice) => choice.keeps !== undefined)
    ? treeOf([...alwaysKept.map((name) => [name]), ...choices.flatMap((choice) => (choice.keeps ?? []).map(parseFieldPath))])
    : undefined
  const drops = treeOf([alwaysDropped, ...droppedByAll(choices.map((choice) => (choice.drops ?? []).map(parseDropped)))])
  return <T>(object: T) => without(keeps === undefined ? object : only(object, keeps), drops)
}

function parseDropped(text: string): FieldPath {
  const path = parseFieldPath(text)
  const lost = needed.find((field) => isWithin(field, path))
  if (lost !== undefined) throw new TypeError(`drops ${text}: caches need ${lost.join('.')} of every object; drop something smaller`)
  return path
}

/** Everybody must drop a field, by itself or with something around it. */
function droppedByAll(choices: readonly (readonly FieldPath[])[]): readonly FieldPath[] {
  return choices.flat().filter((path) => choices.every((drops) => drops.some((outer) => isWithin(path, outer))))
}

/** Fields by name, each either as a whole or with those inside of it. */
type FieldTree = ReadonlyMap<string, FieldTree | 'whole'>

function treeOf(paths: readonly FieldPath[]): FieldTree {
  const inside = Map.groupBy(paths, ([name = '']) => name)
  const branch = (group: readonly FieldPath[]): FieldTree | 'whole' =>
    group.some((path) => path.length === 1) ? 'whole' : treeOf(group.map((path) => path.slice(1)))
  return new Map(Array.from(inside, ([name, group]) => [name, branch(group)]))
}

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function only<T>(value: T, tree: FieldTree): T
function only(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return mapped(value, (element: unknown) => only(element, tree))
  if (!isFields(value)) return value
  const kept: Record<string, unknown> = {}
  let isWhole = true
  for (const name of Object.keys(value)) {
    const branch = tree.get(name)
    const field = branch === undefined || branch === 'whole' ? value[name] : only(value[name], branch)
    if (branch !== undefined) kept[name] = field
    if (branch === undefined || field !== value[name]) isWhole = false
  }
  return isWhole ? value : kept
}

function without<T>(value: T, tree: FieldTree): T
function without(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return mapped(value, (element: unknown) => without(element, tree))
  if (!isFields(value)) return value
  let kept = value
  for (const [name, branch] of tree) {
    if (!Object.hasOwn(value, name)) continue
    if (branch === 'whole') {
      const { [name]: _, ...rest } = kept
      kept = rest
    } else {
      const left = without(value[name], branch)
      if (left !== value[name]) kept = { ...kept, [name]: left }
    }
  }
  return kept
}

/** Like `map`, but the same list when no element changes. */
function mapped(list: readonly unknown[], change: (element: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change)
  return changed.every((element, index) => element === list[index]) ? list : changed
}
