import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, Namespace } from '@windlass/api'
import { VirtualClock } from '@windlass/core'
import { type Client, createClient } from '../../client/index.ts'
import { baseOf, start } from '../base.ts'
import { SimulatedServer } from '../server.ts'
import { definitions, aWidget, manyWidgets, Widget } from '../testing/widgets.ts'
import { seededRandom } from '@windlass/core'
import { finalState } from './final-state.ts'
import type { Write } from './write.ts'
import { firstDifference } from './write-log.ts'

const given = manyWidgets(3)

interface Fixture extends AsyncDisposable {
  readonly server: SimulatedServer
  readonly client: Client
  readonly writes: readonly Write[]
  readonly clock: VirtualClock
}

async function aServer(seed = '1'): Promise<Fixture> {
  const clock = new VirtualClock({ start })
  const server = await SimulatedServer.start({ base: await baseOf(definitions, given), seed, clock, onWrite: () => {} })
  const transport = server.transport({ process: 'operator-1', life: 2 })
  const client = createClient({ transport, clock, random: seededRandom(1), userAgent: 'test/1.0', fieldManager: 'test' })
  return { server, client, clock, writes: server.log.writes, [Symbol.asyncDispose]: () => server.stop() }
}

const aConfigMap = (name: string): { metadata: { namespace: string; name: string }; data: Record<string, string> } => ({
  metadata: { namespace: 'default', name },
  data: { color: 'blue' },
})

describe('Simulation boundary: the write log', () => {
  it('has every durable change, with who made it and by which request', async () => {
    await using fixture = await aServer()
    const { client, writes, clock } = fixture
    await client.create(ConfigMap, aConfigMap('a'))
    await clock.advance(1500)
    await client.patch(ConfigMap, { namespace: 'default', name: 'a' }, { data: { color: 'red' } })
    await client.delete(ConfigMap, { namespace: 'default', name: 'a' })
    assert.deepEqual(
      writes.map(({ verb, key, at, actor }) => [
        verb,
        key,
        at - start,
        `${actor.process} ${actor.life} ${actor.userAgent}`,
        actor.request.split('?')[0],
      ]),
      [
        ['create', 'root/~/configmaps/default/a', 0, 'operator-1 2 test/1.0', 'POST /api/v1/namespaces/default/configmaps'],
        ['update', 'root/~/configmaps/default/a', 1500, 'operator-1 2 test/1.0', 'PATCH /api/v1/namespaces/default/configmaps/a'],
        ['delete', 'root/~/configmaps/default/a', 1500, 'operator-1 2 test/1.0', 'DELETE /api/v1/namespaces/default/configmaps/a'],
      ],
    )
    const [, update] = writes
    assert.deepEqual(update?.as(ConfigMap)?.data, { color: 'red' })
    assert.deepEqual(update?.was(ConfigMap)?.data, { color: 'blue' })
    assert.equal(update?.as(Widget), undefined)
  })

  it('has nothing of writes that changed nothing or were refused', async () => {
    await using fixture = await aServer()
    const { client, writes } = fixture
    await client.patch(Widget, { namespace: 'default', name: 'w1' }, { spec: { replicas: 1 } })
    await assert.rejects(client.create(Widget, aWidget('w1')))
    await client.create(ConfigMap, aConfigMap('dry'), { dryRun: true })
    assert.deepEqual(writes, [])
  })

  it('tells what the server does by itself from what set it off', async () => {
    await using fixture = await aServer()
    const { client, writes, clock } = fixture
    const { uid = '' } = (await client.get(Widget, { namespace: 'default', name: 'w1' })).metadata
    const ownerReferences = [{ apiVersion: Widget.apiVersion, kind: Widget.kind, name: 'w1', uid }]
    await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'owned', ownerReferences } })
    await client.delete(Widget, { namespace: 'default', name: 'w1' })
    await clock.settle()
    assert.deepEqual(
      writes.map(({ verb, name, actor }) => `${verb} ${name} by ${actor.process}`),
      ['create owned by operator-1', 'delete w1 by operator-1', 'delete owned by server'],
    )
  })

  it('shows where two of them part', async () => {
    await using one = await aServer()
    await using other = await aServer()
    for (const { client } of [one, other]) await client.create(ConfigMap, aConfigMap('a'))
    assert.equal(one.server.log.hash(), other.server.log.hash())
    assert.equal(firstDifference(one.writes, other.writes), undefined)
    await one.client.create(ConfigMap, aConfigMap('b'))
    await other.client.create(ConfigMap, aConfigMap('c'))
    assert.notEqual(one.server.log.hash(), other.server.log.hash())
    assert.match(
      firstDifference(one.writes, other.writes) ?? '',
      /^write 2 of 2 differs:\n.*configmaps\/default\/b.*\n.*configmaps\/default\/c/,
    )
  })
})

describe('Simulation boundary: the state of the server', () => {
  const colors = (object: Widget): readonly string[] => (object.spec.color === undefined ? [] : [object.spec.color])

  it('is read by name, by namespace and by index, and follows every write', async () => {
    await using fixture = await aServer()
    const { client, server } = fixture
    const { state } = server
    assert.equal(state.count(Widget), 3)
    assert.deepEqual(state.byIndex(Widget, colors, 'blue'), [])
    await client.create(Namespace, { metadata: { name: 'other' } })
    await client.create(Widget, { ...aWidget('w9', { color: 'blue' }), metadata: { namespace: 'other', name: 'w9' } })
    await client.patch(Widget, { namespace: 'default', name: 'w0' }, { spec: { color: 'blue' } })
    assert.deepEqual(names(state.byIndex(Widget, colors, 'blue')), ['w9', 'w0'])
    assert.deepEqual(names(state.list(Widget, { namespace: 'other' })), ['w9'])
    assert.equal(state.get(Widget, { namespace: 'default', name: 'w0' })?.spec.color, 'blue')
    assert.equal(state.get(Namespace, { name: 'other' })?.metadata.name, 'other')
    await client.patch(Widget, { namespace: 'default', name: 'w0' }, { spec: { color: 'red' } })
    await client.delete(Widget, { namespace: 'other', name: 'w9' })
    assert.deepEqual(state.byIndex(Widget, colors, 'blue'), [])
    assert.equal(state.count(Widget), 3)
    assert.equal(state.get(Widget, { namespace: 'other', name: 'w9' }), undefined)
  })

  it('is the same in every run that starts, whatever an earlier one did', async () => {
    await using first = await aServer()
    await first.client.delete(Widget, { namespace: 'default', name: 'w0' })
    await using second = await aServer()
    assert.equal(second.server.state.count(Widget), 3)
    assert.equal((await second.client.get(Widget, { namespace: 'default', name: 'w0' })).spec.replicas, 0)
  })

  it('has a normal form without uids, versions, times, Leases and Events', async () => {
    await using one = await aServer('1')
    await using other = await aServer('2')
    for (const { client, clock } of [one, other]) {
      await client.create(ConfigMap, aConfigMap('a'))
      await clock.advance(clock === other.clock ? 5000 : 0)
      await client.patch(
        ConfigMap,
        { namespace: 'default', name: 'a' },
        { data: { at: `${clock === other.clock ? '2026-01-01' : '2027-01-01'}T00:00:00Z` } },
      )
    }
    assert.notEqual(one.server.log.hash(), other.server.log.hash())
    assert.deepEqual(finalState(one.server.state), finalState(other.server.state))
    assert.match(finalState(one.server.state).get('root/~/configmaps/default/a') ?? '', /"data":\{"at":"<time>","color":"blue"\}/)
    await other.client.patch(ConfigMap, { namespace: 'default', name: 'a' }, { data: { color: 'red' } })
    assert.notDeepEqual(finalState(one.server.state), finalState(other.server.state))
  })
})

function names(objects: readonly Widget[]): readonly (string | undefined)[] {
  return objects.map(({ metadata }) => metadata.name)
}
