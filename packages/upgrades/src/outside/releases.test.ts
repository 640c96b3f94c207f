import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { Service } from '@windlass/api'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import type { Client } from '@windlass/kube'
import { aClient, aStage, type FakeServer, type Stage, token } from './testing/index.ts'

async function reading(
  servers: Readonly<Record<string, FakeServer>>,
  test: (stage: Stage, client: Client) => Promise<void>,
): Promise<void> {
  await using server = await startTestServer()
  const { clock } = server
  const client = aClient((request) => server.api.handle(request), admin, clock)
  await test(await aStage({ client, clock, servers }), client)
}

const site = 'https://registry.example.com'
const store = 'https://cdn.example.com'
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`
const config = JSON.stringify({ config: { Labels: { 'io.openshift.release': '4.7.13' } } })
const manifest = JSON.stringify({ config: { digest: digestOf(config) } })
const list = JSON.stringify({ manifests: [{ digest: digestOf(manifest), platform: { architecture: 'amd64' } }] })
const files = new Map([config, manifest, list].map((text) => [digestOf(text), text]))
const image = (of: string): string => `registry.example.com/ocp/release@${digestOf(of)}`

/** A registry that sends blobs from elsewhere. */
const registry: FakeServer = ({ path }) => {
  const digest = path.split('/').at(-1) ?? ''
  if (path.includes('/blobs/')) return { status: 307, headers: { location: `${store}/${digest}` } }
  const body = files.get(digest)
  return body === undefined ? { status: 404 } : { status: 200, body }
}
const blobs: FakeServer = ({ path }) => ({ status: 200, body: files.get(path.slice(1)) ?? '' })

const version = (stage: Stage, of: string, architecture = 'amd64') =>
  stage.wait(stage.outside.releases.imageVersion(of, architecture, stage.signal))

describe('a release image', () => {
  it('V11 says its version, also from a list of architectures', async () => {
    await reading({ [site]: registry, [store]: blobs }, async (stage) => {
      assert.deepEqual(await version(stage, image(manifest)), { value: '4.7.13' })
      assert.deepEqual(await version(stage, image(list)), { value: '4.7.13' })
      const none = await version(stage, image(list), 's390x')
      assert.ok('problem' in none && /holds no image for s390x/.test(none.problem))
    })
  })

  it('V10 without a digest is not asked for', async () => {
    await reading({}, async (stage) => {
      assert.ok('problem' in (await version(stage, 'registry.example.com/ocp/release:4.7')))
      assert.deepEqual(stage.asked, [])
    })
  })

  it('V12 Δ08 is opened by the pull secret, with a password or with a token that is had for it', async () => {
    const basic = `Basic ${Buffer.from('me:pw').toString('base64')}`
    const wants =
      (header: string, challenge: string): FakeServer =>
      (request) =>
        request.headers?.['authorization'] === header ? registry(request) : { status: 401, headers: { 'www-authenticate': challenge } }
    await reading({ [site]: wants(basic, 'Basic realm="x"'), [store]: blobs }, async (stage) => {
      assert.deepEqual(await version(stage, image(manifest)), { value: '4.7.13' })
      assert.equal(stage.headers.at(-1)?.['authorization'], undefined, 'where blobs come from is not shown the password')
    })
    const challenge = 'Bearer realm="https://cdn.example.com/token",service="registry",scope="repository:ocp/release:pull"'
    const tokens: FakeServer = (request) => {
      if (!request.path.startsWith('/token')) return blobs(request)
      return request.headers?.['authorization'] === basic ? { status: 200, body: '{"token":"t"}' } : { status: 403 }
    }
    await reading({ [site]: wants('Bearer t', challenge), [store]: tokens }, async (stage) => {
      assert.deepEqual(await version(stage, image(manifest)), { value: '4.7.13' })
      assert.ok(stage.asked.includes('GET https://cdn.example.com/token?service=registry&scope=repository%3Aocp%2Frelease%3Apull'))
    })
  })

  it('that is not what its digest says, or not there, is a problem', async () => {
    const lying: FakeServer = () => ({ status: 200, body: '{}' })
    await reading({ [site]: lying }, async (stage) => {
      const answer = await version(stage, image(manifest))
      assert.ok('problem' in answer && /not what the digest says/.test(answer.problem))
    })
    await reading({ [site]: () => ({ status: 403 }) }, async (stage) => {
      const answer = await version(stage, image(manifest))
      assert.ok('problem' in answer && /status 403; check the entry for registry\.example\.com in the pull secret/.test(answer.problem))
    })
    await reading({ [site]: () => ({ status: 200, after: 21_000 }) }, async (stage) => {
      const answer = await version(stage, image(manifest))
      assert.ok('problem' in answer && /did not answer within 20 s/.test(answer.problem))
    })
  })
})

describe('the update service', () => {
  const url = 'https://registry.example.com/graph?channel=stable-4.7'

  it('V08 says which update leads where; conditional ones too', async () => {
    const nodes = [{ version: '4.7.12', payload: 'x', metadata: {} }, { version: '4.7.13' }]
    const conditionalEdges = [{ edges: [{ from: '4.7.12', to: '4.7.14' }], risks: [] }]
    await reading(
      { [site]: () => ({ status: 200, body: JSON.stringify({ nodes, edges: [[0, 1]], conditionalEdges }) }) },
      async (stage) => {
        assert.deepEqual(await stage.wait(stage.outside.releases.updateGraph(url, stage.signal)), {
          value: {
            nodes: [{ version: '4.7.12' }, { version: '4.7.13' }],
            edges: [[0, 1]],
            conditionalEdges: [{ edges: [{ from: '4.7.12', to: '4.7.14' }] }],
          },
        })
      },
    )
  })

  it('V09 that is away or talks nonsense is a problem', async () => {
    for (const [answer, says] of [
      [{ status: 500, body: 'oops' }, /at https:\/\/registry\.example\.com answered with status 500: oops/],
      [{ status: 200, body: '[]' }, /no graph of updates/],
    ] as const) {
      await reading({ [site]: () => answer }, async (stage) => {
        const graph = await stage.wait(stage.outside.releases.updateGraph(url, stage.signal))
        assert.ok('problem' in graph)
        assert.match(graph.problem, says)
      })
    }
  })
})

describe('the Deployment Validation Operator', () => {
  const server = 'http://deployment-validation-operator-metrics.openshift-deployment-validation-operator.svc.cluster.local:8383'
  const where = { namespace: 'openshift-deployment-validation-operator', name: 'deployment-validation-operator-metrics' }
  const metrics = (stage: Stage) => stage.wait(stage.outside.deploymentValidation.metrics('id', stage.signal))

  it('H09 Δ15 need not be installed', async () => {
    await reading({}, async (stage) => assert.deepEqual(await metrics(stage), { is: 'not installed' }))
  })

  it('H10 tells its metrics, or why not', async () => {
    let status = 200
    await reading({ [server]: () => ({ status, body: '# HELP x' }) }, async (stage, client) => {
      await client.create(Service, { metadata: where, spec: { ports: [{ name: 'http-metrics', port: 8383, protocol: 'TCP' }] } })
      assert.deepEqual(await metrics(stage), { is: 'answered', metrics: '# HELP x' })
      assert.equal(stage.headers[0]?.['authorization'], `AccessToken id:${token}`)
      status = 503
      const answer = await metrics(stage)
      assert.ok(answer.is === 'unanswered' && /status 503/.test(answer.problem))
    })
  })
})
