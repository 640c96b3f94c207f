import { EvaluationError } from '../errors.ts'
import { fn, method, type Overload } from '../overload.ts'
import { bool, list, map, opaque, string } from '../types.ts'
import { BuiltMap, ListValue, Opaque } from '../values.ts'

/** A URL in the parts that Go's parser gives. */
export class UrlValue extends Opaque {
  readonly typeName = 'kubernetes.URL'
  readonly text: string
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string

  constructor(text: string, parts: { scheme: string; host: string; path: string; query: string }) {
    super()
    this.text = text
    this.scheme = parts.scheme
    this.host = parts.host
    this.path = parts.path
    this.query = parts.query
  }

  equals(other: Opaque): boolean {
    return other instanceof UrlValue && other.text === this.text
  }

  toText(): string {
    return this.text
  }
}

/** Why Go's `url.ParseRequestURI` would refuse a text; undefined when it takes it: an absolute URL, or an absolute path. */
export function urlProblem(text: string): string | undefined {
  const parsed = parse(text)
  return typeof parsed === 'string' ? `parse ${JSON.stringify(text)}: ${parsed}` : undefined
}

function parse(text: string): UrlValue | string {
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL'
  if (text === '') return 'empty url'
  const { scheme, rest: afterScheme, problem } = cutScheme(text)
  if (problem !== undefined) return problem
  const withoutFragment = cut(afterScheme, '#')[0]
  const [rest, query] = cut(withoutFragment, '?')
  if (!rest.startsWith('/')) {
    return scheme === '' ? 'invalid URI for request' : new UrlValue(text, { scheme, host: '', path: '', query })
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) return withPath(text, scheme, '', rest, query)
  const slash = rest.indexOf('/', 2)
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash)
  const at = authority.lastIndexOf('@')
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) return 'net/url: invalid userinfo'
  const host = authority.slice(at + 1)
  const hostProblem = checkHost(host)
  return hostProblem ?? withPath(text, scheme, host, slash < 0 ? '' : rest.slice(slash), query)
}

function withPath(text: string, scheme: string, host: string, path: string, query: string): UrlValue | string {
  const escape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(path)
  if (escape !== null) return `invalid URL escape ${JSON.stringify(escape[0])}`
  return new UrlValue(text, { scheme, host, path: escapePath(path), query })
}

function cutScheme(text: string): { scheme: string; rest: string; problem?: string } {
  if (text.startsWith(':')) return { scheme: '', rest: text, problem: 'missing protocol scheme' }
  const found = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)
  if (found !== null) return { scheme: (found[1] ?? '').toLowerCase(), rest: text.slice(found[0].length) }
  const firstSegment = cut(text, '/')[0]
  if (/^[0-9+.-][^:]*:/.test(firstSegment)) return { scheme: '', rest: text, problem: 'first path segment in URL cannot contain colon' }
  return { scheme: '', rest: text }
}

function checkHost(host: string): string | undefined {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']')
    if (end < 0) return "missing ']' in host"
    return checkPort(host.slice(end + 1))
  }
  const colon = host.indexOf(':')
  if (colon >= 0) {
    const problem = checkPort(host.slice(host.lastIndexOf(':')))
    if (problem !== undefined || host.indexOf(':') !== host.lastIndexOf(':')) {
      return problem ?? `invalid port ${JSON.stringify(host.slice(colon))} after host`
    }
  }
  const bad = /[\s<>"{}|\\^`]/.exec(host)
  if (bad !== null) return `invalid character ${JSON.stringify(bad[0])} in host name`
  const escape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(host)
  return escape === null ? undefined : `invalid URL escape ${JSON.stringify(escape[0])}`
}

function checkPort(port: string): string | undefined {
  return port === '' || /^:\d*$/.test(port) ? undefined : `invalid port ${JSON.stringify(port)} after host`
}

function cut(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** Keeps what is escaped already, escapes what must be. */
function escapePath(path: string): string {
  return path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%[\]]/gu, (each) => encodeURIComponent(each))
}

/** Go's query rules: pairs with a semicolon or a broken escape are dropped. */
function queryValues(query: string): BuiltMap {
  const values = new Map<string, string[]>()
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const [key, value] = cut(pair, '=').map(unescapeQuery)
    if (key === undefined || value === undefined) continue
    values.set(key, [...(values.get(key) ?? []), value])
  }
  return new BuiltMap(Array.from(values, ([key, all]) => [key, new ListValue(all)]))
}

function unescapeQuery(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

const hostname = (host: string): string => (host.startsWith('[') ? host.slice(1, host.lastIndexOf(']')) : cut(host, ':')[0])
const port = (host: string): string => /:(\d*)$/.exec(host.slice(host.lastIndexOf(']') + 1))?.[1] ?? ''

const url = opaque<UrlValue>('kubernetes.URL')

export const urls: readonly Overload[] = [
  fn('isURL', [string], bool, (x) => urlProblem(x) === undefined),
  fn('url', [string], url, (x) => {
    const parsed = parse(x)
    if (typeof parsed !== 'string') return parsed
    throw new EvaluationError(`URL parse error during conversion from string: parse ${JSON.stringify(x)}: ${parsed}`)
  }),
  method('getScheme', [url], string, (x) => x.scheme),
  method('getHost', [url], string, (x) => x.host),
  method('getHostname', [url], string, (x) => hostname(x.host)),
  method('getPort', [url], string, (x) => port(x.host)),
  method('getEscapedPath', [url], string, (x) => x.path),
  method('getQuery', [url], map(string, list(string)), (x) => queryValues(x.query)),
]
