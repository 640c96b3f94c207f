import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, Namespace, NodePool } from '@windlass/api'
import { aNodePool } from '@windlass/api/fixtures'
import type { RestClient } from './rest-client.ts'
import { aStatus, clientOf, gather, type Step } from './testing.ts'

const ref = { namespace: 'clusters', name: 'prod-a' }
const pools = '/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/nodepools'
const maps = '/api/v1/namespaces/clusters/configmaps'

/** What a call puts on the wire. */
async function sentBy(
  call: (client: RestClient) => Promise<unknown>,
  steps: readonly Step[] = [{}],
): Promise<{ line: string; type: string | undefined; body: unknown }> {
  const { client, transport } = clientOf(steps)
  await call(client)
  const { method, path, headers, body } = transport.requests.at(-1) ?? {}
  const text = typeof body === 'string' ? body : undefined
  return { line: `${method} ${path}`, type: headers?.['content-type'], body: text === undefined ? undefined : JSON.parse(text) }
}

describe('a call on the wire', () => {
  for (const [line, call] of [
    [`GET ${pools}/prod-a`, (client) => client.get(NodePool, ref)],
    [`GET ${pools}/prod-a?resourceVersion=0`, (client) => client.get(NodePool, ref, { resourceVersion: '0' })],
    ['GET /api/v1/namespaces/clusters', (client) => client.get(Namespace, { name: 'clusters' })],
    [`GET ${pools}/system%3Aodd%20name`, (client) => client.get(NodePool, { ...ref, name: 'system:odd name' })],
    ['GET /api/v1/configmaps?watch=true', (client) => client.watch(ConfigMap)],
    [
      `GET ${maps}?watch=true&labelSelector=app%3Dweb%2Ctier%20in%20(a%2Cb)&resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=300`,
      (client) =>
        client.watch(ConfigMap, {
          namespace: 'clusters',
          labelSelector: 'app=web,tier in (a,b)',
          allowBookmarks: true,
          resourceVersion: '7',
          timeoutSeconds: 300,
        }),
    ],
    [
      'GET /api/v1/configmaps?watch=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&allowWatchBookmarks=true',
      (client) => client.watch(ConfigMap, { allowBookmarks: true, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }),
    ],
    [`PUT ${maps}/prod-a?fieldManager=test`, (client) => client.update(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref })],
    [`PUT ${pools}/prod-a/status?fieldManager=test`, (client) => client.updateStatus(NodePool, aNodePool({ metadata: ref }))],
    [`GET ${pools}/prod-a/scale`, (client) => client.getSubresource(NodePool, ref, 'scale')],
    [`POST ${maps}/prod-a/token?fieldManager=test`, (client) => client.createSubresource(ConfigMap, ref, 'token', {})],
    ['GET /readyz?verbose', (client) => client.getText('/readyz?verbose')],
    [
      `DELETE ${maps}?labelSelector=app%3Dweb&fieldSelector=metadata.name%3Da`,
      (client) => client.deleteCollection(ConfigMap, { namespace: 'clusters', labelSelector: 'app=web', fieldSelector: 'metadata.name=a' }),
    ],
  ] satisfies [string, (client: RestClient) => Promise<unknown>][]) {
    it(`N2 ${line}`, async () => assert.equal((await sentBy(call)).line, line))
  }

  it('N2 names the program and asks for JSON', async () => {
    const { client, transport } = clientOf([{}])
    await client.get(NodePool, ref)
    assert.deepEqual(transport.requests[0]?.headers, { accept: 'application/json', 'user-agent': 'test/1.0' })
  })

  it('N2 fills in what a draft is, and says whose fields they are', async () => {
    const created = await sentBy((client) =>
      client.create(ConfigMap, { metadata: ref, data: { a: 'b' } }, { dryRun: true, fieldManager: 'me' }),
    )
    assert.deepEqual(created, {
      line: `POST ${maps}?fieldManager=me&dryRun=All`,
      type: 'application/json',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref, data: { a: 'b' } },
    })
    const generated = await sentBy((client) => client.create(ConfigMap, { metadata: { namespace: 'clusters', generateName: 'map-' } }))
    assert.equal(generated.line, `POST ${maps}?fieldManager=test`)
  })

  it('N2 tells a merge patch from a JSON patch by its shape', async () => {
    const merge = await sentBy((client) => client.patch(NodePool, ref, { spec: { replicas: null } }))
    assert.deepEqual(merge, {
      line: `PATCH ${pools}/prod-a?fieldManager=test`,
      type: 'application/merge-patch+json',
      body: { spec: { replicas: null } },
    })
    const operations = [{ op: 'replace', path: '/spec/replicas', value: 3 }] as const
    const json = await sentBy((client) => client.patchStatus(NodePool, ref, operations))
    assert.deepEqual(json, {
      line: `PATCH ${pools}/prod-a/status?fieldManager=test`,
      type: 'application/json-patch+json',
      body: operations,
    })
    assert.equal((await sentBy((client) => client.patchSubresource(NodePool, ref, 'scale', {}))).type, 'application/merge-patch+json')
  })

  it('N2 applies, with force if it must', async () => {
    const applied = await sentBy((client) => client.apply(NodePool, { metadata: ref, spec: { replicas: 3 } }, { force: true }))
    assert.deepEqual(applied, {
      line: `PATCH ${pools}/prod-a?fieldManager=test&force=true`,
      type: 'application/apply-patch+yaml',
      body: { metadata: ref, spec: { replicas: 3 }, apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'NodePool' },
    })
    const status = await sentBy((client) => client.applyStatus(NodePool, { metadata: ref, status: { replicas: 3 } }))
    assert.equal(status.line, `PATCH ${pools}/prod-a/status?fieldManager=test`)
  })

  it('N2 deletes with options in the body, and without a body when there are none', async () => {
    const plain = await sentBy((client) => client.delete(ConfigMap, ref))
    assert.deepEqual(plain, { line: `DELETE ${maps}/prod-a`, type: undefined, body: undefined })
    const preconditions = { uid: 'u', resourceVersion: '1' }
    const careful = await sentBy((client) =>
      client.delete(ConfigMap, ref, { dryRun: true, propagation: 'Foreground', gracePeriodSeconds: 0, preconditions }),
    )
    assert.deepEqual(careful, {
      line: `DELETE ${maps}/prod-a`,
      type: 'application/json',
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        dryRun: ['All'],
        propagationPolicy: 'Foreground',
        gracePeriodSeconds: 0,
        preconditions,
      },
    })
  })

  it('N2 asks for the next page by its token alone', async () => {
    const { client, transport } = clientOf([
      { body: { metadata: { resourceVersion: '5', continue: 'more' }, items: [] } },
      { body: { metadata: { resourceVersion: '5' }, items: null } },
    ])
    const pages = await gather(client.pages(ConfigMap, { labelSelector: 'a', resourceVersion: '5', resourceVersionMatch: 'Exact' }))
    assert.deepEqual(
      pages.map(({ resourceVersion, continueToken }) => [resourceVersion, continueToken]),
      [
        ['5', 'more'],
        ['5', undefined],
      ],
    )
    assert.deepEqual(
      transport.requests.map(({ path }) => path),
      [
        '/api/v1/configmaps?labelSelector=a&limit=500&resourceVersion=5&resourceVersionMatch=Exact',
        '/api/v1/configmaps?labelSelector=a&limit=500&continue=more',
      ],
    )
  })
})

describe('a call that makes no sense', () => {
  for (const [problem, call] of [
    [/^ConfigMap with the name "": that cannot be a name$/, (client) => client.delete(ConfigMap, { ...ref, name: '' })],
    [/^ConfigMap with the name "\.\.": that cannot be a name$/, (client) => client.get(ConfigMap, { ...ref, name: '..' })],
    [
      /^ConfigMap prod-a has no namespace: objects of this kind are in one, say in which$/,
      (client) => client.get(ConfigMap, { name: 'prod-a' }),
    ],
    [/^ConfigMap a has no namespace/, (client) => client.create(ConfigMap, { metadata: { name: 'a' } })],
    [/^ConfigMap collection has no namespace/, (client) => client.deleteCollection(ConfigMap)],
    [/^Namespace has no namespaces, but clusters was given as one: leave it out$/, (client) => client.get(Namespace, ref)],
    [/^ConfigMap without a name/, (client) => client.update(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })],
  ] satisfies [RegExp, (client: RestClient) => Promise<unknown>][]) {
    it(`N1 is not sent: ${problem.source}`, async () => {
      const { client, transport } = clientOf([{}])
      await assert.rejects(call(client), { name: 'TypeError', message: problem })
      assert.equal(transport.requests.length, 0)
    })
  }
})

describe('an answer', () => {
  const kept = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...ref, deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 },
  }

  for (const [what, body, isThere] of [
    ['a Status', { kind: 'Status', status: 'Success' }, false],
    ['the object with finalizers', { ...kept, metadata: { ...kept.metadata, finalizers: ['a/b'] } }, true],
    ['the object with a grace period', { ...kept, metadata: { ...kept.metadata, deletionGracePeriodSeconds: 30 } }, true],
    ['the object that nothing holds', kept, false],
    ['the object as it was', { ...kept, metadata: ref }, false],
  ] satisfies [string, object, boolean][]) {
    it(`N2 to a DELETE that is ${what} means that it is ${isThere ? 'still there' : 'gone'}`, async () => {
      const { client } = clientOf([{ body }])
      assert.deepEqual(await client.delete(ConfigMap, ref), isThere ? body : undefined)
    })
  }

  it('N2 to a DELETE of a namespace is the namespace while its content goes', async () => {
    const body = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' },
      spec: { finalizers: ['kubernetes'] },
    }
    assert.deepEqual(await clientOf([{ body }]).client.delete(Namespace, { name: 'a' }), body)
  })

  it('N2 that is no JSON is an error that says so', async () => {
    const { client } = clientOf([{ body: '<html>Please log in</html>' }])
    await assert.rejects(client.get(ConfigMap, ref), {
      name: 'ApiError',
      message: `GET ${maps}/prod-a was answered with 200 OK and something that is no JSON: <html>Please log in</html>; check that the address is that of a Kubernetes API`,
    })
  })

  it('N2 of 404 is nothing to find, but only when it is about the object', async () => {
    assert.equal(await clientOf([aStatus(404, 'NotFound')]).client.find(ConfigMap, ref), undefined)
    await assert.rejects(clientOf([{ status: 404, body: '404 page not found\n' }]).client.find(ConfigMap, ref), { code: 404 })
    await assert.rejects(clientOf([aStatus(403, 'Forbidden')]).client.find(ConfigMap, ref), { reason: 'Forbidden' })
  })

  it('N21 is counted with its status, one without is an error', async () => {
    const counted: unknown[] = []
    const metrics = { request: (...report: unknown[]) => void counted.push(report) }
    const { client } = clientOf([{ status: 500, body: 'oops' }, new Error('a bug'), {}], { metrics })
    await assert.rejects(client.get(ConfigMap, ref))
    await assert.rejects(client.get(ConfigMap, ref))
    await client.create(ConfigMap, { metadata: ref })
    assert.deepEqual(counted, [
      ['scripted:6443', 'GET', 500, 0],
      ['scripted:6443', 'GET', '<error>', 0],
      ['scripted:6443', 'POST', 200, 0],
    ])
  })

  it('N2 with warnings is logged, each text once', async () => {
    const logged: unknown[] = []
    const write = (fields: object): void => void logged.push(fields)
    const log = { debug: write, info: write, warn: write, error: write, child: () => log }
    const { client } = clientOf([{ headers: { warning: '299 - "unknown field \\"spec.x\\"", 299 - "v1beta1 is deprecated"' } }], { log })
    await client.get(ConfigMap, ref)
    await client.get(ConfigMap, ref)
    assert.deepEqual(logged, [{ warning: 'unknown field "spec.x"' }, { warning: 'v1beta1 is deprecated' }])
  })
})
