import type { KubernetesObject } from '@windlass/api'
import type { MemberSource } from '@windlass/fleet'
import { type ClientOptions, createClient, type Handle, inProcessTransport } from '@windlass/kube'
import { parseSelector } from './fleet/selector.ts'

/** A member made of objects from files: an API that can be read and never changes. Kinds of which there are no objects are not known there. */
export function folderMember(name: string, objects: readonly KubernetesObject[], options: Omit<ClientOptions, 'transport'>): MemberSource {
  return { name, connect: () => createClient({ ...options, transport: inProcessTransport(handler(objects), { host: name }) }) }
}

type Response = Awaited<ReturnType<Handle>>

/** What the server is asked for: objects of a kind, perhaps of one namespace, perhaps one of them. */
interface Wanted {
  readonly apiVersion: string
  readonly plural: string
  readonly namespace?: string
  readonly name?: string
}

function handler(objects: readonly KubernetesObject[]): Handle {
  const byKind = Map.groupBy(objects, ({ apiVersion, kind }) => `${apiVersion}/${pluralOf(kind)}`)
  return async ({ method, url }) => {
    const { pathname, searchParams: query } = new URL(url, 'http://files')
    const wanted = parsePath(pathname)
    if (method !== 'GET' || wanted === undefined) return status(405, 'MethodNotAllowed', 'objects from files can only be read')
    const known = byKind.get(`${wanted.apiVersion}/${wanted.plural}`)
    if (known === undefined) return status(404, 'NotFound', 'the server could not find the requested resource')
    const found = known.filter((object) => isMeant(object, wanted, query)).map(versioned)
    if (query.get('watch') === 'true') return watch(query.get('sendInitialEvents') === 'true' ? found : undefined, known[0])
    if (wanted.name === undefined) return answer(200, { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: found })
    const [object] = found
    return object === undefined ? status(404, 'NotFound', `${wanted.plural} "${wanted.name}" not found`) : answer(200, object)
  }
}

function parsePath(path: string): Wanted | undefined {
  const found =
    /^\/(?:api\/(?<core>v1)|apis\/(?<group>[^/]+\/[^/]+))(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?$/.exec(
      path,
    )?.groups
  if (found === undefined) return undefined
  const { core, group, namespace, plural = '', name } = found
  return {
    apiVersion: core ?? group ?? '',
    plural,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name: decodeURIComponent(name) }),
  }
}

/** As all kinds of Kubernetes and OpenShift have it. */
function pluralOf(kind: string): string {
  const word = kind.toLowerCase()
  if (/(s|x|ch|sh)$/.test(word)) return `${word}es`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
}

function isMeant(object: KubernetesObject, { namespace, name }: Wanted, query: URLSearchParams): boolean {
  const { metadata } = object
  if (namespace !== undefined && metadata.namespace !== namespace) return false
  if (name !== undefined && metadata.name !== name) return false
  const [labels, fields] = [query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '']
  if (labels !== '' && !parseSelector(labels)(metadata.labels ?? {})) return false
  return fields === '' || fields.split(',').every((field) => hasField(object, field))
}

/** `spec.nodeName=a`, `type!=Normal`. */
function hasField(object: KubernetesObject, text: string): boolean {
  const [, path = '', operator, wanted = ''] = /^([^!=]+)(!=|==?)(.*)$/.exec(text) ?? []
  const value = path
    .split('.')
    .reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), object)
  const found = typeof value === 'string' ? value : ''
  return operator === '!=' ? found !== wanted : found === wanted
}

function versioned(object: KubernetesObject): KubernetesObject {
  const { metadata } = object
  return metadata.resourceVersion === undefined ? { ...object, metadata: { ...metadata, resourceVersion: '1' } } : object
}

/** What is there first, if that is asked for, and nothing ever after. */
function watch(initial: readonly KubernetesObject[] | undefined, example: KubernetesObject | undefined): Response {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    async watch(sink, signal) {
      for (const object of initial ?? []) sink.write(line({ type: 'ADDED', object }))
      if (initial !== undefined) {
        const metadata = { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } }
        sink.write(line({ type: 'BOOKMARK', object: { apiVersion: example?.apiVersion, kind: example?.kind, metadata } }))
      }
      await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })))
      sink.end()
    },
  }
}

function line(event: object): Buffer {
  return Buffer.from(`${JSON.stringify(event)}\n`)
}

function answer(code: number, body: object): Response {
  return { status: code, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) }
}

function status(code: number, reason: string, message: string): Response {
  return answer(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message })
}
