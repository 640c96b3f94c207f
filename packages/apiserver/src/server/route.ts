import { type Attributes } from '../auth/index.ts'
import { booleanValue } from '../registry/options.ts'
import { parseFieldSelector } from '../selectors/index.ts'
import type { ResourcePath, Target } from './path.ts'
import type { ApiRequest } from './request.ts'

const verbs: Readonly<Record<string, readonly [collection: string, object: string]>> = {
  GET: ['list', 'get'],
  HEAD: ['list', 'get'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['deletecollection', 'delete'],
}

/** What the request wants to do with a resource, in the words of RBAC. */
export function verbOf(request: ApiRequest, path: ResourcePath, query: URLSearchParams): string {
  const [collection, object] = verbs[request.method] ?? ['', '']
  if (path.name !== '') return path.isWatch && object === 'get' ? 'watch' : object
  return collection === 'list' && isWatch(path, query) ? 'watch' : collection
}

export function isWatch(path: ResourcePath, query: URLSearchParams): boolean {
  return path.isWatch || booleanValue(query.get('watch') ?? 'false')
}

export function attributesOf(request: ApiRequest, target: Target, query: URLSearchParams): Attributes {
  if (target.kind === 'other') return { verb: request.method.toLowerCase(), path: target.path }
  const { group, version, resource, subresource, namespace, name } = target.resource
  const verb = verbOf(request, target.resource, query)
  return { verb, group, version, resource, subresource, name: name === '' ? selectedName(verb, query) : name, namespace }
}

/** A list of one name may be allowed where a list of all is not. */
function selectedName(verb: string, query: URLSearchParams): string {
  if (verb !== 'list' && verb !== 'watch' && verb !== 'deletecollection') return ''
  const text = query.get('fieldSelector') ?? ''
  if (text === '') return ''
  try {
    const named = parseFieldSelector(text).find(({ label, operator }) => label === 'metadata.name' && operator === '=')
    return named?.value ?? ''
  } catch {
    return ''
  }
}
