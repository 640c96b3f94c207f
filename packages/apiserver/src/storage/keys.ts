/**
 * Where objects live: `<cluster>/<group>/<resource>/<namespace>/<name>`. `~` stands for the empty group and for the namespace of
 * cluster-scoped objects: it is no valid character of either, and sorts behind all that are.
 */
const none = '~'

export interface ObjectKey {
  readonly cluster: string
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}

export function resourcePrefix(cluster: string, group: string, resource: string): string {
  return `${cluster}/${group || none}/${resource}/`
}

export function namespacePrefix(cluster: string, group: string, resource: string, namespace: string): string {
  return `${resourcePrefix(cluster, group, resource)}${namespace || none}/`
}

export function objectKey(key: ObjectKey): string {
  return namespacePrefix(key.cluster, key.group, key.resource, key.namespace) + key.name
}

export function parseKey(key: string): ObjectKey {
  // Everybody who hears of a change asks for the same key, one after the other.
  if (key !== last.key) last = { key, parsed: parse(key) }
  return last.parsed
}

let last: { readonly key: string; readonly parsed: ObjectKey } = { key: '', parsed: parse('') }

function parse(key: string): ObjectKey {
  const [cluster = '', group = '', resource = '', namespace = '', ...name] = key.split('/')
  return {
    cluster,
    group: group === none ? '' : group,
    resource,
    namespace: namespace === none ? '' : namespace,
    name: name.join('/'),
  }
}
