import type { ClusterId } from '@windlass/fleet/contract'

/** What the path of an address asks for. */
export type Route =
  | { readonly page: 'fleet' }
  | { readonly page: 'exposure' }
  | { readonly page: 'sign-in' }
  | { readonly page: 'cluster'; readonly cluster: ClusterParts }
  | { readonly page: 'upgrade'; readonly cluster: ClusterParts }
  | { readonly page: 'missing'; readonly path: string }

/** The parts of an id: a member (a classic cluster is one), or member, namespace and name. */
export type ClusterParts = readonly [member: string] | readonly [member: string, namespace: string, name: string]

/**
 * Reads a path.
 *
 * An id has one part or three, so that a further part can only be a page of the cluster. Parts are escaped: contexts of a kubeconfig may have slashes in their
 * names.
 */
export function routeOf(path: string): Route {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  const [first, ...rest] = parts
  if (first === undefined) return { page: 'fleet' }
  if (parts.length === 1 && (first === 'exposure' || first === 'sign-in')) return { page: first }
  if (first !== 'clusters') return { page: 'missing', path }
  const cluster = partsFrom(rest)
  if (cluster !== undefined) return { page: 'cluster', cluster }
  const above = rest.at(-1) === 'upgrade' ? partsFrom(rest.slice(0, -1)) : undefined
  return above === undefined ? { page: 'missing', path } : { page: 'upgrade', cluster: above }
}

export function partsOf(row: { readonly member: string; readonly namespace?: string; readonly name: string }): ClusterParts {
  return row.namespace === undefined ? [row.member] : [row.member, row.namespace, row.name]
}

/** For where only the id is known. Namespaces and names have no slashes: what is in front of the last two parts is the member. */
export function partsOfId(id: ClusterId): ClusterParts {
  const parts = id.split('/')
  const [namespace, name] = parts.slice(-2)
  if (parts.length < 3 || namespace === undefined || name === undefined) return [id]
  return [parts.slice(0, -2).join('/'), namespace, name]
}

export function idOf(cluster: ClusterParts): ClusterId {
  return cluster.join('/')
}

/** The path of a cluster's page, or of a page below it. */
export function clusterPath(cluster: ClusterParts, below?: 'upgrade'): string {
  return joined('/clusters', cluster, below)
}

/** Where the server answers for a cluster. */
export function clusterApiPath(cluster: ClusterParts, below?: 'stream' | 'why' | 'actions'): string {
  return joined('/api/v1/clusters', cluster, below)
}

function joined(above: string, cluster: ClusterParts, below: string | undefined): string {
  return [above, ...cluster.map(encodeURIComponent), ...(below === undefined ? [] : [below])].join('/')
}

function partsFrom(parts: readonly string[]): ClusterParts | undefined {
  const [member, namespace, name] = parts
  if (member === undefined || parts.length > 3) return undefined
  if (namespace === undefined) return [member]
  return name === undefined ? undefined : [member, namespace, name]
}

/** A malformed escape stands for itself: the page then says that there is no such cluster. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
