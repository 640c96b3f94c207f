import type { TransportRequest } from '../../transport/transport.ts'
import type { Verb } from './faults.ts'

const verbs = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const

/** What a request wants, as far as the network is concerned. A path that ends with a collection is a list. */
export function verbOf({ method, path }: TransportRequest): Verb {
  if (method !== 'GET') return verbs[method]
  const mark = path.indexOf('?')
  if (mark >= 0 && /[?&]watch=(?:1|true)/.test(path)) return 'watch'
  return isCollection((mark < 0 ? path : path.slice(0, mark)).split('/')) ? 'list' : 'get'
}

/** `/api/v1/…` and `/apis/<group>/<version>/…`, below `/clusters/<name>` or not: a namespace and its name in front do not count. */
function isCollection(segments: readonly string[]): boolean {
  const start = segments[1] === 'clusters' ? 3 : 1
  const root = segments[start]
  if (root !== 'api' && root !== 'apis') return false
  const first = start + (root === 'api' ? 2 : 3)
  const isNamespaced = segments[first] === 'namespaces' && segments.length > first + 2
  return segments.length - first - (isNamespaced ? 2 : 0) === 1
}
