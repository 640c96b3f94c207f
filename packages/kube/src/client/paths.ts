import type { Resource } from '@windlass/api'
import type { Ref } from './client.ts'

/** Where the objects of a kind are; those of all namespaces without one. */
export function collectionPath(kind: Resource, namespace: string | undefined): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  if (namespace === undefined || namespace === '') return `${root}/${kind.plural}`
  if (kind.scope === 'Cluster') throw new TypeError(`${kind.kind} has no namespaces, but ${namespace} was given as one: leave it out`)
  return `${root}/namespaces/${segment(kind, 'namespace', namespace)}/${kind.plural}`
}

/** Where new objects go: never "all namespaces". */
export function namespacePath(kind: Resource, namespace: string | undefined, what: string): string {
  if (kind.scope === 'Namespaced' && (namespace === undefined || namespace === '')) {
    throw new TypeError(`${kind.kind} ${what} has no namespace: objects of this kind are in one, say in which`)
  }
  return collectionPath(kind, namespace)
}

/**
 * Where one object is.
 *
 * Throws when there is no name: the path would be that of the whole collection, and a DELETE of it would take everything.
 */
export function objectPath(kind: Resource, { namespace, name }: Ref, subresource?: string): string {
  const path = `${namespacePath(kind, namespace, name)}/${segment(kind, 'name', name)}`
  return subresource === undefined ? path : `${path}/${subresource}`
}

/** The reference to an object from the object itself. */
export function refOf(kind: Resource, { name, namespace }: { readonly name?: string; readonly namespace?: string }): Ref {
  if (name === undefined) throw new TypeError(`${kind.kind} without a name: it cannot be found on the server`)
  return namespace === undefined ? { name } : { name, namespace }
}

/** A path with those parameters that have a value. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  let query = ''
  for (const name in parameters) {
    const value = parameters[name]
    if (value === undefined || value === '') continue
    query += `${query === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`
  }
  return path + query
}

function segment(kind: Resource, what: string, text: string): string {
  if (text === '' || text === '.' || text === '..') throw new TypeError(`${kind.kind} with the ${what} "${text}": that cannot be a ${what}`)
  return encodeURIComponent(text)
}
