import type { ObjectMeta, Resource } from '@windlass/api'
import type { Ref } from '../client/client.ts'

/** The name by which an object is found again. Throws when it has none: one that the server is to name cannot be found by name. */
export function refOf({ metadata }: { readonly metadata: ObjectMeta }): Ref {
  const { namespace, name } = metadata
  if (name === undefined)
    throw new TypeError('an object without metadata.name cannot be looked up: give it a name, or create it and use what is returned')
  return namespace === undefined ? { name } : { namespace, name }
}

/** `namespace/name`, or the name alone. Neither may have a slash in it. */
export function keyOf({ namespace, name }: Ref): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}

/** The other way round. */
export function parseKey(key: string): Ref {
  const slash = key.indexOf('/')
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

/** For messages: `NodePool clusters/prod`. */
export function describeRef(kind: Pick<Resource, 'kind'>, ref: Ref): string {
  return `${kind.kind} ${keyOf(ref)}`
}
