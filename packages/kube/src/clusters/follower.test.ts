import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap } from '@windlass/api'
import { admin, createCluster, inCluster, startWithClusters, type TestServer } from '@windlass/apiserver/testing'
import { seededRandom } from '@windlass/core'
import { cached, createSharedCache } from '../cache/index.ts'
import type { Client, Ref } from '../client/client.ts'
import { isClosed, isNotFound } from '../client/errors.ts'
import { silentLog } from '../log.ts'
import { ensure, isOvertaken, patch } from '../plan/index.ts'
import { ClusterFollower } from './follower.ts'
import { Network } from './testing/network.ts'

const maps = cached(ConfigMap, { namespaces: ['default'] })

/** A kubeconfig is the path of its cluster here. */
class Kubeconfigs extends Network {
  readonly used: string[] = []

  readonly open = (path: string): Client => {
    if (!path.startsWith('/')) throw new Error('this is no kubeconfig')
    this.used.push(path)
    return this.client(path)
  }
}

async function withFollower(
  use: (follower: ClusterFollower, network: Kubeconfigs, server: TestServer, heard: Ref[]) => Promise<void>,
): Promise<void> {
  await using server = await startWithClusters()
  for (const name of ['a', 'b']) await createCluster(server, name)
  const network = new Kubeconfigs(server, admin)
  const follower = new ClusterFollower({ connect: network.open, kinds: [maps] })
  const heard: Ref[] = []
  const stop = new AbortController()
  const { clock } = server
  const cache = createSharedCache({ client: network.open(inCluster('a')), clock, random: seededRandom('cache') })
  const source = follower.source(maps, ({ metadata: { name = '' } }, _cache, cluster) => [{ namespace: cluster, name }])
  const listening = (async () => {
    for await (const ref of source({ clock, cache, signal: stop.signal })) heard.push(ref)
  })()
  await use(follower, network, server, heard)
  stop.abort(new Error('stop'))
  await clock.settle()
  await listening
}

describe('clusters that are followed', () => {
  const partsOf = ({ clock }: TestServer) => ({ clock, random: seededRandom('parts'), log: silentLog })

  it('N22 show their objects once they are filled, tell of changes, and each has its own', () =>
    withFollower(async (follower, _, server, heard) => {
      const a = await follower.follow('a', inCluster('a'), partsOf(server))
      assert.equal(a.problem, 'a has not answered yet')
      assert.ok(a.isAwaited)
      await server.clock.advance(1000)
      assert.equal(a.problem, undefined)
      assert.ok(!a.isAwaited)
      const b = await follower.follow('b', inCluster('b'), partsOf(server))
      await server.clock.advance(1000)
      heard.length = 0
      const never = new AbortController().signal
      await a.act(ensure(ConfigMap, { metadata: { namespace: 'default', name: 'one' }, data: { x: '1' } }, 'a test'), never)
      assert.equal(a.cache.get(maps, { namespace: 'default', name: 'one' })?.data?.['x'], '1', 'it is seen at once')
      await server.clock.advance(1000)
      assert.ok(heard.some(({ name }) => name === 'one'))
      assert.equal(b.cache.get(maps, { namespace: 'default', name: 'one' }), undefined)
    }))

  it('N22 are connected to once, and anew with another kubeconfig or after they were forgotten', () =>
    withFollower(async (follower, network, server) => {
      const parts = partsOf(server)
      network.used.length = 0
      const first = await follower.follow('a', inCluster('a'), parts)
      assert.equal(await follower.follow('a', inCluster('a'), parts), first)
      const other = await follower.follow('a', inCluster('b'), parts)
      assert.notEqual(other, first)
      follower.forget('a')
      await server.clock.settle()
      assert.equal(other.problem, 'it is not followed any more')
      await follower.follow('a', inCluster('a'), parts)
      assert.deepEqual(
        network.used,
        ['a', 'b', 'a'].map((name) => inCluster(name)),
      )
      await assert.rejects(follower.follow('c', 'nonsense', parts), /this is no kubeconfig/)
    }))

  it('N22 let those know that still work with them as they were before they were connected to anew', () =>
    withFollower(async (follower, _, server) => {
      const parts = partsOf(server)
      const first = await follower.follow('a', inCluster('a'), parts)
      await server.clock.advance(1000)
      await follower.follow('a', inCluster('b'), parts)
      await server.clock.settle()
      const action = ensure(ConfigMap, { metadata: { namespace: 'default', name: 'one' } }, 'a test')
      await assert.rejects(first.act(action, new AbortController().signal), isClosed)
    }))

  it('N22 let those know whose object there has gone meanwhile that this is all that went wrong', () =>
    withFollower(async (follower, network, server) => {
      const a = await follower.follow('a', inCluster('a'), partsOf(server))
      await server.clock.advance(1000)
      const map = { metadata: { namespace: 'default', name: 'one' } }
      const never = new AbortController().signal
      await a.act(ensure(ConfigMap, map, 'a test'), never)
      const gone = network.client(inCluster('a')).delete(ConfigMap, map.metadata)
      const late = a.act(patch(ConfigMap, map.metadata, { data: { x: '1' } }, 'a test'), never)
      await assert.rejects(late, (error) => isNotFound(error) && isOvertaken(error))
      await gone
      const unknown = a.act(patch(ConfigMap, { ...map.metadata, name: 'two' }, { data: { x: '1' } }, 'a test'), never)
      await assert.rejects(unknown, (error) => isNotFound(error) && !isOvertaken(error), 'that nobody has ever seen')
    }))

  it('N22 that do not answer have a problem, at once before they were filled and after a while later', () =>
    withFollower(async (follower, network, server) => {
      const parts = partsOf(server)
      const a = await follower.follow('a', inCluster('a'), parts)
      await server.clock.advance(1000)
      network.cut.add(inCluster('a'))
      network.cut.add(inCluster('b'))
      const b = await follower.follow('b', inCluster('b'), parts)
      await server.clock.advance(1000)
      assert.match(b.problem ?? '', /refuses the connection/)
      assert.ok(!b.isAwaited, 'this is an answer too')
      for (let minute = 0; minute < 15; minute++) {
        await server.clock.advance(60_000)
        void a.problem
      }
      assert.match(a.problem ?? '', /refuses the connection/)
      network.cut.clear()
      await server.clock.advance(120_000)
      assert.deepEqual([a.problem, b.problem], [undefined, undefined])
    }))
})
