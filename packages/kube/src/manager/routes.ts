import type { Ref } from '../client/client.ts'
import { judge } from './health.ts'
import type { Inspection } from './inspection.ts'

export interface RouteAnswer {
  readonly status: number
  readonly contentType: string
  /** In pieces where it is long: each is made when the one before it has left. */
  readonly body: string | AsyncIterable<string>
}

/** Which of them a server has. */
export type Section = 'health' | 'metrics' | 'debug'

type Route = (seen: Inspection, rest: readonly string[], query: URLSearchParams) => RouteAnswer | Promise<RouteAnswer> | undefined

/** The most objects of a controller that are listed. */
const mostListed = 1000

const routes: Readonly<Record<Section, Readonly<Record<string, Route>>>> = {
  health: {
    '/healthz': (seen, rest, query) => health('healthz', seen, rest, query),
    '/livez': (seen, rest, query) => health('livez', seen, rest, query),
    '/readyz': (seen, rest, query) => health('readyz', seen, rest, query),
  },
  metrics: {
    '/metrics': ({ metrics }, rest) => (metrics === undefined || rest.length > 0 ? undefined : exposition(metrics)),
  },
  debug: {
    '/debug/queue': queues,
    '/debug/cache': ({ caches }, rest) => (rest.length > 0 ? undefined : json(200, { caches })),
    '/debug/clusters': ({ clusters }, rest) => (rest.length > 0 ? undefined : json(200, { clusters })),
    '/debug/reconcile': reconciles,
  },
}

/** How the paths are told to who asked for one that is not there. */
const hints: Readonly<Record<string, string>> = {
  '/healthz': '/healthz[?verbose]',
  '/livez': '/livez[?verbose]',
  '/readyz': '/readyz[?verbose]',
  '/debug/queue': '/debug/queue[/<controller>][?limit=1000]',
  '/debug/reconcile': '/debug/reconcile[/<kind>/<namespace, or - where there is none>/<name>]',
}

/** What the endpoints of a process answer. */
export async function answer(seen: Inspection, sections: readonly Section[], method: string, url: string): Promise<RouteAnswer> {
  if (method !== 'GET' && method !== 'HEAD') return text(405, `${method} is not possible here: only GET and HEAD are\n`)
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  const known = sections.flatMap((section) => Object.entries(routes[section]))
  for (const [prefix, route] of known) {
    if (path !== prefix && !path.startsWith(`${prefix}/`)) continue
    const rest = path.slice(prefix.length).split('/').slice(1).map(decode)
    const found = await route(seen, rest, searchParams)
    if (found !== undefined) return found
  }
  const paths = known.map(([prefix]) => `  ${hints[prefix] ?? prefix}\n`)
  return text(404, `there is nothing at ${path}. These are the paths:\n${paths.join('')}`)
}

function health(endpoint: string, { checks }: Inspection, rest: readonly string[], query: URLSearchParams): RouteAnswer | undefined {
  const [name, ...more] = rest
  const of = endpoint === 'readyz' ? 'readiness' : 'liveness'
  const asked = checks.filter((check) => (endpoint === 'readyz' || check.of === of) && (name === undefined || check.name === name))
  if (more.length > 0 || (name !== undefined && asked.length === 0)) return undefined
  const verdict = judge(endpoint, asked, query.has('verbose'))
  return text(verdict.isHealthy ? 200 : 500, verdict.text)
}

function exposition(metrics: NonNullable<Inspection['metrics']>): RouteAnswer {
  return { status: 200, contentType: metrics.contentType, body: metrics.pieces() }
}

function queues({ controllers }: Inspection, [name, ...more]: readonly string[], query: URLSearchParams): RouteAnswer | undefined {
  const asked = controllers.filter((controller) => name === undefined || controller.name === name)
  if (more.length > 0 || (name !== undefined && asked.length === 0)) return undefined
  const limit = Number(query.get('limit') ?? mostListed)
  if (!Number.isInteger(limit) || limit < 0) return text(400, `limit=${query.get('limit') ?? ''} is not a number of keys\n`)
  return json(200, { controllers: asked.map((controller) => ({ name: controller.name, ...controller.queue(limit) })) })
}

/** What was decided about an object and why, or the objects about which something was decided. */
function reconciles({ controllers }: Inspection, rest: readonly string[]): RouteAnswer | undefined {
  if (rest.length === 0) {
    const known = controllers.map(({ name, kind, history }) => {
      const objects = Array.from(history.keys())
      return { controller: name, kind: kind.kind, known: objects.length, objects: objects.slice(-mostListed) }
    })
    return json(200, { controllers: known })
  }
  const [kind, namespace, name] = rest
  if (kind === undefined || namespace === undefined || name === undefined || rest.length > 3) return undefined
  const ref: Ref = namespace === '-' ? { name } : { namespace, name }
  const concerned = controllers.filter((controller) => isKind(controller.kind, kind))
  const passes = concerned.map((controller) => ({ controller: controller.name, passes: controller.history.of(ref) }))
  const found = passes.filter((each) => each.passes.length > 0)
  if (found.length === 0) {
    const who = concerned.length === 0 ? `no controller looks after ${kind}` : 'nothing is remembered of it'
    return json(404, { message: `${kind} ${namespace}/${name}: ${who}; /debug/reconcile lists what is known` })
  }
  return json(200, { kind: concerned[0]?.kind.kind, ...ref, controllers: found })
}

function isKind({ kind, plural, group }: { kind: string; plural: string; group: string }, asked: string): boolean {
  const word = asked.toLowerCase()
  return word === kind.toLowerCase() || word === plural || word === `${plural}.${group}`
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function json(status: number, body: object): RouteAnswer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body, null, 2)}\n` }
}

function text(status: number, body: string): RouteAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body }
}
