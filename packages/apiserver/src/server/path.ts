/** What a path means, before anybody knows whether such a thing exists. */
export type Target =
  | { readonly kind: 'resource'; readonly path: string; readonly resource: ResourcePath }
  | { readonly kind: 'other'; readonly path: string }

export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly namespace: string
  /** Empty for a collection. */
  readonly name: string
  readonly subresource: string
  /** More segments than any resource has. */
  readonly isTooDeep: boolean
  /** The old `/api/v1/watch/…` form. */
  readonly isWatch: boolean
}

/** Splits `/clusters/<name>/…` into the logical cluster and the path inside it. */
export function splitCluster(path: string): { readonly cluster: string; readonly path: string } {
  const found = path.startsWith('/clusters/') ? /^\/clusters\/([^/]+)(\/.*)?$/.exec(path) : null
  if (found === null) return { cluster: 'root', path }
  return { cluster: decode(found[1] ?? ''), path: found[2] ?? '/' }
}

export function parsePath(path: string): Target {
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  const isCore = segments[0] === 'api'
  if (!isCore && segments[0] !== 'apis') return { kind: 'other', path }
  const start = isCore ? 2 : 3
  if (segments.length <= start) return { kind: 'other', path }
  const group = isCore ? '' : decode(segments[1] ?? '')
  const version = decode(segments[start - 1] ?? '')
  const rest = segments.slice(start).map(decode)
  const isWatch = rest[0] === 'watch' && rest.length > 1
  if (isWatch) rest.shift()
  return { kind: 'resource', path, resource: { group, version, isWatch, ...place(rest) } }
}

/** `namespaces/x/pods/p/status`, `namespaces/x` and `nodes/n/status` all begin alike: a namespace is also a resource. */
function place(rest: readonly string[]): Pick<ResourcePath, 'resource' | 'namespace' | 'name' | 'subresource' | 'isTooDeep'> {
  const [first = '', second = '', third = ''] = rest
  const isInside = first === 'namespaces' && rest.length > 2 && third !== 'status' && third !== 'finalize'
  const [namespace, parts] = isInside ? [second, rest.slice(2)] : [first === 'namespaces' ? second : '', rest]
  return {
    resource: parts[0] ?? '',
    namespace,
    name: parts[1] ?? '',
    subresource: parts[2] ?? '',
    isTooDeep: parts.length > 3,
  }
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
