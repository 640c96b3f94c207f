import type { Random } from '@windlass/core'

/** Values that programs stumble over. */

export function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[random.below(from.length)]
  if (found === undefined) throw new RangeError('nothing to pick from')
  return found
}

export const strings: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\n',
  '/',
  '..',
  '../../etc',
  'A_b',
  '-x',
  'x-',
  'a'.repeat(64),
  'a'.repeat(254),
  'a'.repeat(70_000),
  'é',
  '😀',
  '\u202e',
  '\ud800',
  '%s%n',
  '${jndi}',
  'null',
  'true',
  'yes',
  '0',
  '-1',
  '1e3',
  '99999999999999999999',
  '0x10',
  'NaN',
  '2026-01-01T00:00:00Z',
  '2026-13-45T99:99:99Z',
  '2026-01-01T00:00:00.000000Z',
  '5m',
  '-5m',
  '10Gi',
  '1e99999Ki',
  '50%',
  '150%',
  'a=b',
  'in (',
  '*',
  '(a+)+$',
  '[',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a/b/c',
  'kubernetes.io/metadata.name',
  'self.x.y',
  'object.spec +',
  '10.0.0.0/33',
  '::ffff:1.2.3.4',
  'http://[::1',
  'application/json',
]

/** JSON that JSON.stringify would never write, kept as a mark in a string until the text is made. */
const mark = '\u0001raw:'
const rawTokens: readonly string[] = [
  '1e400',
  '-0',
  '0777',
  '1.',
  '.5',
  'NaN',
  'Infinity',
  '--1',
  '1e',
  'nul',
  "'a'",
  '"\\ud800"',
  '"\\x"',
  '123456789012345678901234567890',
  '9007199254740993',
  '1.0',
  '2e0',
]

export function withRawTokens(text: string): string {
  return text.replaceAll(/"\\u0001raw:((?:[^"\\]|\\.)*)"/g, (_, token: string) => JSON.parse(`"${token}"`) as string)
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { a: value } : [value]
  return value
}

const shapes: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 31,
  () => 1e21,
  () => -(2 ** 63),
  () => [],
  () => ({}),
  () => [null],
  () => [[]],
  () => [{}],
  () => ({ '': 1 }),
  () => JSON.parse('{"__proto__":{"polluted":1}}') as unknown,
  () => JSON.parse('{"constructor":{"prototype":{"polluted":1}}}') as unknown,
  () => ({ $patch: 'delete' }),
  () => ({ $patch: 'replace', a: 1 }),
  () => ({ $patch: 'nonsense' }),
  () => [{ $patch: 'replace' }],
  () => ({ $retainKeys: ['a', 1] }),
  () => ({ '$setElementOrder/containers': [{ name: 1 }] }),
  () => ({ '$deleteFromPrimitiveList/finalizers': 5 }),
  () => nested(60),
  () => nested(2000),
  () => Array.from({ length: 1000 }, (_, index) => index),
  () => Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'v'])),
]

export function nastyString(random: Random): string {
  return random.below(8) === 0 ? random.uuid() : pick(random, strings)
}

export function nastyValue(random: Random): unknown {
  const dice = random.below(10)
  if (dice < 4) return nastyString(random)
  if (dice < 5) return mark + pick(random, rawTokens)
  return pick(random, shapes)()
}

const token = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Query parameters that mean something, each with values that are at home in it and strangers. */
export const parameters: Readonly<Record<string, readonly string[]>> = {
  resourceVersion: ['0', '1', '5', 'abc', '-1', '1.5', '1e3', ' 1', '0x1', '18446744073709551616'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'exact', ''],
  continue: [
    'AAAA',
    '!!!',
    token({ v: 'meta.k8s.io/v1', rv: 1, start: 'a\u0000' }),
    token({ v: 'meta.k8s.io/v1', rv: -1, start: '../x\u0000' }),
    token({ v: 'meta.k8s.io/v1', rv: 1e99, start: 5 }),
    token({ v: 'x', rv: 1, start: '' }),
    token(null),
  ],
  limit: ['0', '1', '-1', 'x', '9999999999999999999', '1.5', ''],
  timeoutSeconds: ['0', '1', '-1', 'x', '1e9', '99999999999999'],
  timeout: ['1s', 'x', '-1s', '0', '99999h', '1ms1', ''],
  watch: ['true', '1', 'false', 'maybe', ''],
  allowWatchBookmarks: ['true', 'x', ''],
  sendInitialEvents: ['true', 'false', 'x', ''],
  labelSelector: ['a in (b', '!', '!!a', 'a==', ',', 'a=b,,c', 'x notin ()', 'a>b', 'a<1', '-=x', 'a'.repeat(5000), 'a in (b,c),!d'],
  fieldSelector: [
    'metadata.name',
    '=',
    '==',
    'a\\',
    'spec.x=1',
    'metadata.name=a,metadata.name!=a',
    'spec.arch=amd64',
    'metadata.namespace=x',
  ],
  dryRun: ['All', 'all', 'None', ''],
  fieldManager: ['x'.repeat(129), '\u0000', '', 'é', 'm'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'strict', ''],
  force: ['true', 'false', 'x', ''],
  propagationPolicy: ['Foreground', 'Orphan', 'Background', 'foreground', ''],
  orphanDependents: ['true', 'x'],
  gracePeriodSeconds: ['0', '-1', 'x', '1e99'],
  pretty: ['true', 'x'],
  includeObject: ['None', 'Metadata', 'Object', 'x'],
  preconditions: ['x'],
  hash: ['x'],
}

export const headers: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    '',
    'application/json',
    'application/yaml',
    'text/plain',
    'application/json; charset=utf-16',
    'application/vnd.kubernetes.protobuf',
    'application/cbor',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/json-patch+json',
    'application/apply-patch+yaml',
    'application/apply-patch+cbor',
    ';',
    '/',
    'a'.repeat(3000),
  ],
  accept: [
    '',
    '*/*',
    'text/html',
    'application/vnd.kubernetes.protobuf',
    'application/json;q=abc',
    'application/json;as=Table;v=v9;g=meta.k8s.io',
    'application/json;as=Nothing;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList',
    ',,;;==,',
    'application/json,'.repeat(500),
  ],
  authorization: [
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Basic YTpi',
    'bearer a.b.c',
    `Bearer ${'x'.repeat(5000)}`,
    'Bearer eyJhbGciOiJub25lIn0.e30.',
  ],
  'impersonate-user': ['', 'nobody', 'system:anonymous', 'system:serviceaccount:a:b', 'system:serviceaccount:', 'x'.repeat(2000)],
  'impersonate-group': ['system:masters', ''],
  'impersonate-uid': ['x'],
  'impersonate-extra-%zz': ['x'],
  'user-agent': ['', '/', 'x'.repeat(3000), '\u00ff'],
  'accept-encoding': ['gzip', 'br', 'identity;q=0', 'gzip;q=abc'],
  'content-encoding': ['gzip', 'br'],
  'if-none-match': ['*', '"x"', 'W/"x"', '"'],
  expect: ['100-continue'],
  connection: ['keep-alive', 'x'],
  origin: ['null'],
  'audit-id': ['', 'x'.repeat(3000), '\u00ff'],
  'x-remote-user': ['admin'],
  'x-forwarded-for': ['127.0.0.1'],
  'x-http-method-override': ['DELETE'],
}

export const segments: readonly string[] = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%00',
  '%ff',
  '%',
  '%2F',
  '%zz',
  'a%20b',
  'A',
  '~',
  '*',
  'watch',
  'namespaces',
  'status',
  'scale',
  'log',
  'exec',
  'proxy',
  'clusters',
  'root',
  'api',
  'apis',
  'v1',
  'v9',
  'pods',
  '__proto__',
  'constructor',
  '%E2%82%AC',
  'x'.repeat(300),
  'x'.repeat(6000),
]

/** All that Node's own client is willing to send. */
export const methods: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'LOCK',
  'M-SEARCH',
  'QUERY',
]
