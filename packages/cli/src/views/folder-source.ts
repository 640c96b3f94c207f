import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubernetesObject, Resource } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import { loadAll } from 'js-yaml'
import { Failure, fileProblem } from '../failures.ts'
import type { Source, Which } from './source.ts'

/**
 * Objects from the YAML and JSON files of a folder and of those below it: what `kubectl get -o yaml` wrote, one object or a list of them each, or many
 * documents in one file.
 *
 * `at` is the moment that they are looked at; without it, it is the latest that is written on them.
 *
 * # Errors
 *
 * `Failure`, when the folder or a file in it cannot be read.
 */
export function folderSource(folder: string, at?: Instant): Source {
  const objects = objectsInFolder(folder)
  if (objects.length === 0)
    throw new Failure(`there are no objects in ${folder}: it should hold YAML files, as kubectl get -o yaml writes them`)
  return objectSource(objects, at ?? latestTimeOn(objects) ?? 0)
}

export function objectsInFolder(folder: string): readonly KubernetesObject[] {
  return filesIn(folder).flatMap(objectsIn)
}

/** Objects that are at hand. */
export function objectSource(objects: readonly KubernetesObject[], now: Instant): Source {
  const select = <T extends KubernetesObject>(kind: Resource<T>, which: Which): readonly T[] =>
    objects.filter((object) => isOf(kind, object)).filter((object) => isMeant(object, which))
  return {
    find: (kind, { name, namespace }) => Promise.resolve(select(kind, { name, ...(namespace === undefined ? {} : { namespace }) })[0]),
    list: (kind, which = {}) => Promise.resolve(select(kind, which)),
    now: () => now,
  }
}

function isOf<T extends KubernetesObject>(kind: Resource<T>, object: KubernetesObject): object is T {
  return object.apiVersion === kind.apiVersion && object.kind === kind.kind
}

function isMeant(object: KubernetesObject, { namespace, name, nodeName }: Which): boolean {
  const { metadata } = object
  if (namespace !== undefined && metadata.namespace !== namespace) return false
  if (name !== undefined && metadata.name !== name) return false
  return nodeName === undefined || field(field(object, 'spec'), 'nodeName') === nodeName
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ya?ml|json)$/.test(name))
      .toSorted()
      .map((name) => join(folder, name))
  } catch (error) {
    throw new Failure(`the folder ${folder} cannot be read: ${fileProblem(error)}`, { cause: error })
  }
}

function objectsIn(file: string): readonly KubernetesObject[] {
  return documentsIn(file).flatMap((document) => {
    const items = field(document, 'items')
    const isList = typeof field(document, 'kind') === 'string' && String(field(document, 'kind')).endsWith('List') && Array.isArray(items)
    if (!isList) return isObject(document) ? [document] : []
    const list: readonly unknown[] = items
    return list.map((item) => namedAs(item, document)).filter(isObject)
  })
}

/** JSON is YAML too. */
function documentsIn(file: string): readonly unknown[] {
  try {
    return loadAll(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error && 'reason' in error ? `it is no YAML: ${String(error.reason)}` : fileProblem(error)
    throw new Failure(`the file ${file} cannot be read: ${reason}`, { cause: error })
  }
}

/** Servers leave kind and apiVersion out of the items of a typed list: `NodeList` says it for all of them. */
function namedAs(item: unknown, list: unknown): unknown {
  if (typeof item !== 'object' || item === null || 'kind' in item) return item
  return { apiVersion: field(list, 'apiVersion'), kind: String(field(list, 'kind')).replace(/List$/, ''), ...item }
}

function isObject(value: unknown): value is KubernetesObject {
  const metadata = field(value, 'metadata')
  return (
    typeof field(value, 'apiVersion') === 'string' &&
    typeof field(value, 'kind') === 'string' &&
    typeof metadata === 'object' &&
    metadata !== null
  )
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** Fields of insights that say when something was so. Estimates do not, and neither does when a problem is said to have begun. */
const insightTimes = ['lastTransitionTime', 'startedAt', 'completedAt'] as const

/** The same of other objects. */
const objectTimes = ['lastTransitionTime', 'startedTime', 'completionTime', 'creationTimestamp', 'lastHeartbeatTime', 'timeAdded'] as const

/** The latest moment that is written on any of the objects. */
export function latestTimeOn(objects: readonly KubernetesObject[]): Instant | undefined {
  let latest: Instant | undefined
  for (const object of objects) {
    if (object.kind === 'UpdateHealthInsight') continue
    const names = new Set<string>(object.kind.endsWith('ProgressInsight') ? insightTimes : objectTimes)
    for (const time of timesIn(object, names)) if (latest === undefined || time > latest) latest = time
  }
  return latest
}

function* timesIn(value: unknown, names: ReadonlySet<string>): Iterable<Instant> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, child] of Object.entries(value)) {
    const time = typeof child === 'string' && names.has(name) ? parseTime(child) : undefined
    if (time !== undefined) yield time
    else yield* timesIn(child, names)
  }
}
