import type { Request } from './request.ts'
import { name, namespace } from './subjects.ts'

const path = `/api/v1/namespaces/${namespace}/configmaps`
const widget = `/apis/fuzz.windlass.dev/v1/namespaces/${namespace}/widgets/${name}`

function request(method: string, at: string, type: string, body: string, query: Request['query'] = []): Request {
  return { method, path: at, query, headers: { 'content-type': type }, body: Buffer.from(body) }
}

/** Each copy doubles what the next one copies. */
const doubling = JSON.stringify([
  { op: 'add', path: '/spec/anything', value: { a: 'xxxxxxxx' } },
  ...Array.from({ length: 40 }, (_, index) => ({ op: 'copy', from: '/spec/anything', path: `/spec/anything/k${index}` })),
])

/** A few hundred bytes that stand for a billion strings. */
const laughs = [
  'a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]',
  ...Array.from(
    { length: 9 },
    (_, index) => `a${index + 1}: &a${index + 1} [${Array.from({ length: 10 }, () => `*a${index}`).join(', ')}]`,
  ),
].join('\n')

const header = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const mebibyte = 1024 * 1024

/** Half a megabyte in 20,000 fields, which anybody may send: what bombs are measured by. */
export const ordinary = request(
  'PATCH',
  widget,
  'application/merge-patch+json',
  JSON.stringify({ spec: { anything: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'x'.repeat(20)])) } }),
)

/** Small requests that ask for a lot, and large ones. */
export const bombs: readonly (readonly [string, Request])[] = [
  ['a JSON patch that doubles', request('PATCH', widget, 'application/json-patch+json', doubling)],
  [
    'a JSON patch of 10,001 operations',
    request(
      'PATCH',
      widget,
      'application/json-patch+json',
      JSON.stringify(Array.from({ length: 10_001 }, () => ({ op: 'test', path: '', value: 1 }))),
    ),
  ],
  ['YAML aliases of aliases', request('POST', path, 'application/yaml', header + laughs)],
  [
    'YAML aliases of aliases, applied',
    request('PATCH', `${path}/${name}`, 'application/apply-patch+yaml', header + laughs, [['fieldManager', 'm']]),
  ],
  ['YAML that contains itself', request('POST', path, 'application/yaml', `${header}data: &a\n  b: *a\n`)],
  ['JSON 100,000 lists deep', request('POST', path, 'application/json', `{"data":${deep(100_000)}}`)],
  ['a merge patch 100,000 lists deep', request('PATCH', widget, 'application/merge-patch+json', `{"spec":{"anything":${deep(100_000)}}}`)],
  [
    'a merge patch 9,000 objects deep',
    request('PATCH', widget, 'application/merge-patch+json', `{"spec":{"anything":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}}`),
  ],
  ['YAML 20,000 lists deep', request('POST', path, 'application/yaml', `${header}data: ${deep(20_000)}\n`)],
  [
    'an apply 20,000 objects deep',
    request(
      'PATCH',
      widget,
      'application/apply-patch+yaml',
      `{"apiVersion":"fuzz.windlass.dev/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"anything":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}}`,
      [['fieldManager', 'm']],
    ),
  ],
  ['a body over the limit', request('POST', path, 'application/json', `{"data":{"a":"${'x'.repeat(4 * mebibyte)}"}}`)],
  [
    'an object over the limit',
    request('PATCH', widget, 'application/merge-patch+json', `{"spec":{"anything":"${'x'.repeat(2 * mebibyte)}"}}`),
  ],
  [
    'a ConfigMap over the limit',
    request(
      'POST',
      path,
      'application/json',
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"big"},"data":{"a":"${'x'.repeat(1.2 * mebibyte)}"}}`,
    ),
  ],
  [
    'a number with a million digits',
    request('PATCH', widget, 'application/merge-patch+json', `{"spec":{"anything":${'9'.repeat(mebibyte)}}}`),
  ],
  [
    '200,000 keys',
    request(
      'PATCH',
      widget,
      'application/merge-patch+json',
      `{"spec":{"anything":{${Array.from({ length: 200_000 }, (_, index) => `"${index}":1`).join(',')}}}}`,
    ),
  ],
  [
    'a selector of 10,000 parts',
    { method: 'GET', path, query: [['labelSelector', Array.from({ length: 500 }, (_, index) => `a${index}`).join(',')]], headers: {} },
  ],
  ['a set selector that repeats', { method: 'GET', path, query: [['labelSelector', `a in (${'b,'.repeat(3000)}c)`]], headers: {} }],
  [
    'annotations over the limit',
    request('PATCH', widget, 'application/merge-patch+json', `{"metadata":{"annotations":{"a":"${'x'.repeat(300_000)}"}}}`),
  ],
]
