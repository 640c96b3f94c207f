import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as api from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import * as fixtures from '@windlass/api/fixtures'
import { startTestServer, type TestServer } from '@windlass/apiserver/testing'

/** What discovery says about one resource, a subresource included. */
interface Discovered {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
}

/** Kinds of ours have more to say about themselves, such as the name of their lists. */
const builtins = Object.values(api as Readonly<Record<string, unknown>>).filter(
  (value): value is Resource => typeof value === 'object' && value !== null && 'hasStatusSubresource' in value && !('listKind' in value),
)

const collection = ({ group, version, plural }: Resource, namespace?: string): string =>
  `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}`

/** Every fixture of a kind; kinds that only we write have none. */
const fixturesOf = ({ apiVersion, kind }: Resource): readonly (KubernetesObject & { readonly status?: unknown })[] =>
  Object.entries(fixtures)
    .filter(([name]) => name.endsWith(kind))
    .map(([, fixture]) => (fixture as () => KubernetesObject)())
    .filter((object) => object.apiVersion === apiVersion && object.kind === kind)

describe('built-in kinds', () => {
  let server: TestServer

  before(async () => {
    server = await startTestServer()
    for (const name of ['clusters-prod', 'openshift-dns']) await server.create('/api/v1/namespaces', { metadata: { name } })
  })
  after(() => server[Symbol.asyncDispose]())

  it('are all here', () => assert.ok(builtins.length >= 22, String(builtins.length)))

  for (const resource of builtins) {
    it(`${resource.kind} is called by the server what it is called here`, async () => {
      const list = await server.send('GET', collection(resource).replace(/\/[^/]+$/, ''))
      const { resources } = JSON.parse(list.text) as { readonly resources: readonly Discovered[] }
      const found = resources.find(({ name }) => name === resource.plural)
      assert.deepEqual(
        { kind: found?.kind, namespaced: found?.namespaced, status: resources.some(({ name }) => name === `${resource.plural}/status`) },
        { kind: resource.kind, namespaced: resource.scope === 'Namespaced', status: resource.hasStatusSubresource },
      )
    })

    for (const fixture of fixturesOf(resource)) {
      it(`${resource.kind} of the fixtures is accepted, and every field of it is known`, async () => {
        const { name, namespace, labels } = fixture.metadata
        const { status, ...rest } = fixture
        const object = { ...rest, metadata: { name: `${name}-here`, ...(labels === undefined ? {} : { labels }) } }
        const created = await server.send('POST', `${collection(resource, namespace)}?fieldValidation=Strict`, object)
        assert.equal(created.status, 201, created.text)
        if (!resource.hasStatusSubresource) return
        const url = `${collection(resource, namespace)}/${name}-here/status?fieldValidation=Strict`
        const updated = await server.send('PUT', url, { ...created.body, status })
        assert.equal(updated.status, 200, updated.text)
        assert.partialDeepStrictEqual(updated.body.status, status)
      })
    }
  }
})
