import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ClusterOperator,
  ClusterVersion,
  ClusterVersionProgressInsight,
  CustomResourceDefinition,
  type JsonObject,
  UpdateHealthInsight,
} from '@windlass/api'
import { aClusterOperator } from '@windlass/api/fixtures'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { seededRandom } from '@windlass/core'
import {
  type CacheChange,
  type CacheReader,
  createClient,
  createController,
  createSharedCache,
  inProcessTransport,
  silentLog,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@windlass/kube'
import { type InsightMode, insightModes } from '../mode.ts'
import { aClusterVersion, v2 } from '../testing/index.ts'
import { definitions, put, version } from '../testing/simulated.ts'
import { clusterVersionInsights, watchingOperators } from './controller.ts'

describe('reasons to look at a cluster version', () => {
  const changeFrom = (old: ClusterOperator, object: ClusterOperator): CacheChange<ClusterOperator> => ({ type: 'updated', old, object })
  const reporting = (...versions: readonly (readonly [string, string])[]): ClusterOperator =>
    aClusterOperator({ status: { versions: versions.map(([name, version]) => ({ name, version })) } })
  const noCache = { list: () => [] } as unknown as CacheReader

  for (const mode of ['compat', 'extended'] satisfies InsightMode[]) {
    const watched = watchingOperators(mode)

    it(`T01 T03 are operators that have another version, or one at last (${mode})`, () => {
      assert.ok(watched.predicate(changeFrom(reporting(['operator', '1.0.0']), reporting(['operator', '1.0.1']))))
      assert.ok(watched.predicate(changeFrom(reporting(), reporting(['operator', '1.0.1']))))
      assert.deepEqual(watched.map(reporting(['operator', '1.0.1']), noCache), [{ name: 'version' }])
    })

    it(`T02 T04 are not operators that say anything else (${mode})`, () => {
      assert.ok(
        !watched.predicate(changeFrom(reporting(['operator', '1.0.0'], ['etcd', '1']), reporting(['operator', '1.0.0'], ['etcd', '2']))),
      )
      assert.ok(
        !watched.predicate(
          changeFrom(aClusterOperator(), { ...aClusterOperator(), status: { versions: aClusterOperator().status?.versions ?? [] } }),
        ),
      )
    })

    it(`T05 are operators that come and go (${mode})`, () => {
      assert.ok(watched.predicate({ type: 'added', object: aClusterOperator(), isInitial: false }))
      assert.ok(watched.predicate({ type: 'deleted', object: aClusterOperator(), isStale: false }))
    })

    it(`T06 are changes of a cluster version, whatever its name (${mode})`, () => {
      const watching = clusterVersionInsights(mode).watches?.find(
        ({ of }) => typeof of.kind !== 'string' && of.kind.kind === 'ClusterVersion',
      )
      assert.deepEqual(watching?.map(aClusterVersion({ name: 'other' }), noCache), [{ name: 'other' }])
    })
  }

  it('[ext] are not operators that are no part of the release', () => {
    const payload = aClusterOperator({
      metadata: { name: 'dns', annotations: { 'include.release.openshift.io/single-node-developer': 'true' } },
    })
    const cache = { list: () => [payload, aClusterOperator()] } as unknown as CacheReader
    assert.deepEqual(watchingOperators('extended').map(aClusterOperator(), cache), [])
    assert.deepEqual(watchingOperators('extended').map(payload, cache), [{ name: 'version' }])
    assert.deepEqual(watchingOperators('compat').map(aClusterOperator(), cache), [{ name: 'version' }])
  })
})

const insights = '/apis/openshift.muller.dev/v1alpha1/clusterversionprogressinsights'
const health = '/apis/openshift.muller.dev/v1alpha1/updatehealthinsights'
const forced = 'cv-2je242kecfijbtqaqac5jjmtti'
const forcing = 'oue.openshift.muller.dev/force-health-insight'

/** Answers the write of that number instead of the server, or lets it pass. */
type Answer = (request: string, count: number) => TransportResponse | undefined | Promise<TransportResponse | undefined | void>

const isOfOperators = ({ spec }: (typeof definitions)[number]): boolean => spec.names.kind === 'ClusterOperator'
const asJson = (crds: readonly object[]): readonly JsonObject[] => crds as readonly JsonObject[]

/** A server with a cluster version that is being updated, and the controller of its insight, whose writes a test may answer itself. */
async function startController(mode: InsightMode, answer: Answer = () => undefined) {
  const server = await startTestServer({ definitions: asJson(definitions) })
  const { clock } = server
  const direct = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const began = clock.now()
  const writes: string[] = []
  const counts = new Map<string, number>()
  const note = ({ method, path }: TransportRequest): ReturnType<Answer> => {
    if (method === 'GET') return undefined
    const request = `${method} ${path.replace(/\?.*/, '')}`
    const count = (counts.get(request) ?? 0) + 1
    counts.set(request, count)
    writes.push(`${((clock.now() - began) / 1000).toFixed(3)} ${request}`)
    return answer(request, count)
  }
  const transport: Transport = {
    host: 'test',
    send: async (request) => (await note(request)) ?? direct.send(request),
    stream: (request) => direct.stream(request),
    close: () => direct.close(),
  }
  const options = { clock, random: seededRandom('test'), userAgent: 'test', fieldManager: 'test' }
  const client = createClient({ ...options, transport })
  const world = createClient({ ...options, transport: direct })
  const errors: unknown[] = []
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields), child: () => log }
  const cache = createSharedCache({ client, clock, random: seededRandom('cache'), log })
  const stop = new AbortController()
  const controller = createController(clusterVersionInsights(mode), {
    client,
    cache,
    clock,
    random: seededRandom('controller'),
    log,
    events: { record: () => {} },
  })
  await put(world, ClusterVersion, aClusterVersion({ annotations: { [forcing]: '' } }))
  await put(world, ClusterOperator, aClusterOperator({ version: v2 }))
  const running = Promise.all([cache.run(stop.signal), controller.run(stop.signal)])
  return {
    clock,
    world,
    writes,
    errors,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
      await server[Symbol.asyncDispose]()
    },
  }
}

function refusal(code: number, reason: string): TransportResponse {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: `refused: ${reason}` }
  return { status: code, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(status)) }
}

describe('health insights of a cluster version', () => {
  for (const mode of insightModes) {
    it(`T66 are there right after the progress insight that owns them, at the same moment (${mode})`, async () => {
      await using stage = await startController(mode)
      await stage.clock.advance(100)
      assert.deepEqual(stage.writes, [
        `0.000 POST ${insights}`,
        `0.000 PATCH ${insights}/version/status`,
        `0.000 POST ${health}`,
        `0.000 PATCH ${health}/${forced}/status`,
      ])
    })

    it(`T69 that another manager looks after are left alone, come what may (${mode})`, async () => {
      await using stage = await startController(mode)
      const foreign = { metadata: { name: 'cv-theirs', labels: { 'insight-manager': 'node' } }, spec: {} }
      await stage.world.create(UpdateHealthInsight, foreign)
      await stage.clock.advance(100)
      await stage.world.patch(ClusterVersion, version, { metadata: { annotations: { [forcing]: null } } })
      await stage.clock.advance(100)
      await stage.world.delete(ClusterVersion, version)
      await stage.clock.advance(5000)
      assert.equal(await stage.world.find(UpdateHealthInsight, { name: forced }), undefined)
      assert.ok(await stage.world.find(UpdateHealthInsight, { name: 'cv-theirs' }))
      assert.deepEqual(
        stage.writes.filter((write) => write.includes('cv-theirs')),
        [],
      )
    })
  }
})

for (const mode of insightModes) {
  describe(`races and failures (${mode})`, () => {
    it('T10 when somebody else has created the insight, it looks again a second later and writes nothing until then', async () => {
      await using stage = await startController(mode, (request, count) =>
        request === `POST ${insights}` && count === 1 ? refusal(409, 'AlreadyExists') : undefined,
      )
      await stage.clock.advance(500)
      assert.deepEqual(stage.writes, [`0.000 POST ${insights}`])
      await stage.clock.advance(1000)
      assert.deepEqual(stage.writes.slice(1, 3), [`1.000 POST ${insights}`, `1.000 PATCH ${insights}/version/status`])
      assert.deepEqual(stage.errors, [])
    })

    for (const [name, code, reason] of [
      ['somebody else has written it', 409, 'Conflict'],
      ['somebody has deleted it', 404, 'NotFound'],
    ] as const) {
      it(`T11 when ${name} meanwhile, it looks again a second later and leaves health alone until then`, async () => {
        const path = `PATCH ${insights}/version/status`
        let isRefused = false
        await using stage = await startController(mode, (request) => (request === path && isRefused ? refusal(code, reason) : undefined))
        await stage.world.patch(ClusterVersion, version, { metadata: { annotations: { [forcing]: null } } })
        await stage.clock.advance(30_000)
        stage.writes.splice(0)
        isRefused = true
        // An operator that has arrived has to be told of, and a health insight is due.
        await Promise.all([
          put(stage.world, ClusterOperator, aClusterOperator({ name: 'another', version: v2 })),
          stage.world.patch(ClusterVersion, version, { metadata: { annotations: { [forcing]: '' } } }),
        ])
        await stage.clock.advance(900)
        assert.deepEqual([...new Set(stage.writes)], [`30.000 ${path}`])
        isRefused = false
        await stage.clock.advance(200)
        assert.deepEqual(stage.writes.slice(-3), [`31.000 ${path}`, `31.000 POST ${health}`, `31.000 PATCH ${health}/${forced}/status`])
        assert.deepEqual(stage.errors, [])
      })
    }

    it('T12 an insight that somebody else deletes at the same moment is as good as deleted', async () => {
      let isFirst = true
      await using stage = await startController(mode, async (request) => {
        if (!isFirst || request !== `DELETE ${insights}/version`) return
        isFirst = false
        await stage.world.delete(ClusterVersionProgressInsight, version)
      })
      await stage.clock.advance(100)
      await stage.world.delete(ClusterVersion, version)
      await stage.clock.advance(5000)
      assert.deepEqual(stage.errors, [])
      assert.equal(stage.writes.filter((write) => write.endsWith(`DELETE ${insights}/version`)).length, 1)
      assert.equal(await stage.world.find(UpdateHealthInsight, { name: forced }), undefined)
    })

    it('T13 while the operators cannot be listed, that is said and nothing is written; once they can, it is', async () => {
      const [unknown, known] = [definitions.filter(isOfOperators), definitions.filter((definition) => !isOfOperators(definition))]
      await using server = await startTestServer({ definitions: asJson(known) })
      const { clock } = server
      const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
      const client = createClient({ transport, clock, random: seededRandom('test'), userAgent: 'test', fieldManager: 'test' })
      const said: string[] = []
      const log = { ...silentLog, warn: (fields: object) => void said.push(JSON.stringify(fields)), child: () => log }
      const cache = createSharedCache({ client, clock, random: seededRandom('cache'), log })
      const stop = new AbortController()
      const runtime = { client, cache, clock, random: seededRandom('controller'), log, events: { record: () => {} } }
      const controller = createController(clusterVersionInsights(mode), runtime)
      await put(client, ClusterVersion, aClusterVersion())
      const running = Promise.allSettled([cache.run(stop.signal), controller.run(stop.signal)])
      await clock.advance(60_000)
      assert.equal(await client.find(ClusterVersionProgressInsight, version), undefined)
      assert.match(said.join('\n'), /\/config\.openshift\.io\/v1\/clusteroperators/)
      for (const definition of unknown) await client.create(CustomResourceDefinition, definition)
      await clock.advance(300_000)
      assert.ok((await client.get(ClusterVersionProgressInsight, version)).status)
      stop.abort()
      await running
    })
  })
}

describe('what goes wrong', () => {
  it('goes on with other health insights when one cannot be written, and says what went wrong', async () => {
    const stale = { metadata: { name: 'cv-stale', labels: { 'insight-manager': 'clusterversion' } }, spec: {} }
    await using stage = await startController('compat', (request, count) =>
      request === `PATCH ${health}/${forced}/status` && count < 5 ? refusal(422, 'Invalid') : undefined,
    )
    await stage.world.create(UpdateHealthInsight, stale)
    await stage.clock.advance(5000)
    assert.equal(await stage.world.find(UpdateHealthInsight, { name: 'cv-stale' }), undefined)
    assert.ok((await stage.world.get(UpdateHealthInsight, { name: forced })).status)
    assert.ok(stage.errors.length > 0)
  })
})
