import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FleetChange, FleetView } from '../../contract/index.ts'
import { aPage, fakeDoor, type ReadEvent } from '../testing/page.ts'
import { aRow } from '../../fixtures/index.ts'

const rows = [aRow(), aRow({ name: 'stage' }), aRow({ member: 'classic', kind: 'Classic' })]
const idsIn = ({ data }: ReadEvent): readonly string[] => (data as FleetView | FleetChange).clusters.map(({ id }) => id)
const ended = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; !condition(); tries++) {
    assert.ok(tries < 200, 'waited 2 s in vain')
    await sleep(10)
  }
}

describe('the stream of a fleet', () => {
  it('begins with all of it and goes on with what changes', async () => {
    await using page = await aPage(rows)
    await page.useLink()
    const stream = await page.listen('/api/v1/stream')
    assert.deepEqual(
      [stream.status, stream.headers['content-type'], stream.headers['cache-control']],
      [200, 'text/event-stream', 'no-store'],
    )
    const first = (await stream.next()) ?? assert.fail()
    assert.deepEqual([first.event, idsIn(first)], ['fleet', rows.map(({ id }) => id)])
    page.fleet.put(aRow({ attention: 'Stalled' }))
    page.fleet.remove('classic')
    const second = (await stream.next()) ?? assert.fail()
    const third = (await stream.next()) ?? assert.fail()
    assert.deepEqual([second.event, idsIn(second)], ['change', ['east/clusters/prod']])
    assert.deepEqual((third.data as FleetChange).removed, ['classic'])
    assert.equal(new Set([first.id, second.id, third.id]).size, 3)
  })

  it('goes on where somebody was cut off, and starts anew where that is not known', async () => {
    await using page = await aPage(rows)
    await page.useLink()
    const stream = await page.listen('/api/v1/stream')
    const { id = '' } = (await stream.next()) ?? assert.fail()
    stream.leave()
    page.fleet.put(aRow({ attention: 'Stalled' }))
    page.fleet.put(aRow({ name: 'stage', attention: 'Paused' }))
    const again = await page.listen('/api/v1/stream', { 'last-event-id': id })
    assert.deepEqual(idsIn((await again.next()) ?? assert.fail()), ['east/clusters/prod'])
    assert.deepEqual(idsIn((await again.next()) ?? assert.fail()), ['east/clusters/stage'])
    const { headers } = await page.ask('/api/v1/fleet')
    const since = await page.listen(`/api/v1/stream?since=${String(headers['x-windlass-change'])}`)
    page.fleet.remove('classic')
    assert.equal((await since.next())?.event, 'change')
    for (const strange of ['00000000.1', `${id.split('.')[0]}.999`, 'nonsense', '']) {
      const anew = await page.listen('/api/v1/stream', { 'last-event-id': strange })
      assert.equal((await anew.next())?.event, 'fleet', strange)
    }
  })

  it('shows nobody more than they may see', async () => {
    const doors = [fakeDoor('east', { carol: ['hostedclusters'] }), fakeDoor('classic', {})]
    await using page = await aPage(rows, { doors })
    await page.signIn('carol')
    const stream = await page.listen('/api/v1/stream')
    assert.deepEqual(idsIn((await stream.next()) ?? assert.fail()), ['east/clusters/prod', 'east/clusters/stage'])
    page.fleet.put(aRow({ member: 'classic', kind: 'Classic', attention: 'Stalled' }))
    page.fleet.remove('classic')
    page.fleet.put(aRow({ attention: 'Stalled' }))
    const next = ((await stream.next()) ?? assert.fail()).data as FleetChange
    assert.deepEqual([next.clusters.map(({ id }) => id), next.removed, next.figures?.clusters], [['east/clusters/prod'], [], 2])
  })

  it('starts anew for somebody who may see something else by now', async () => {
    const east = fakeDoor('east', { carol: ['hostedclusters'] })
    const classic = fakeDoor('classic', { carol: [] })
    await using page = await aPage(rows, { doors: [east, classic] })
    await page.signIn('carol')
    const stream = await page.listen('/api/v1/stream')
    const { id = '' } = (await stream.next()) ?? assert.fail()
    classic.rights = { carol: ['clusterversions'] }
    await page.clock.advance(75_000)
    while ((await stream.next()) !== undefined);
    const again = (await (await page.listen('/api/v1/stream', { 'last-event-id': id })).next()) ?? assert.fail()
    assert.deepEqual([again.event, idsIn(again)], ['fleet', rows.map((row) => row.id)])
    const { id: newer = '' } = again
    page.fleet.put(aRow({ attention: 'Stalled' }))
    const third = await page.listen('/api/v1/stream', { 'last-event-id': newer })
    assert.equal((await third.next())?.event, 'change')
  })

  it('gives a sign of life every 15 seconds, and ends with the session', async () => {
    const door = fakeDoor('east')
    await using page = await aPage(rows, { doors: [door] })
    await page.signIn('alice')
    const stream = await page.listen('/api/v1/stream')
    assert.equal((await stream.next())?.event, 'fleet')
    await page.clock.advance(15_000)
    assert.equal((await stream.next())?.event, ':')
    door.rights = {}
    await page.clock.advance(60_000)
    let last: ReadEvent | undefined
    do last = await stream.next()
    while (last !== undefined)
    await ended(() => page.fleet.followers() === 1)
  })

  it('ends with the server, which does not wait for those who listen', async () => {
    const page = await aPage(rows)
    await page.useLink()
    const stream = await page.listen('/api/v1/stream')
    await stream.next()
    await page.server.close()
    assert.equal(await stream.next(), undefined)
  })

  it('is dropped for who does not read', async () => {
    const wide = aRow({ summary: 'x'.repeat(4_000_000) })
    await using page = await aPage([wide])
    await page.useLink()
    const stream = await page.listen('/api/v1/stream')
    for (let count = 0; count < 40; count++) page.fleet.put({ ...wide, attention: count % 2 === 0 ? 'Stalled' : 'Steady' })
    await ended(() => page.fleet.followers() === 1)
    stream.leave()
  })
})

describe('the stream of a cluster', () => {
  it('sends it in full when something of it has changed, and not more often than people can see', async () => {
    await using page = await aPage(rows)
    await page.useLink()
    const stream = await page.listen('/api/v1/clusters/east/clusters/prod/stream')
    assert.deepEqual((await stream.next())?.event, 'cluster')
    for (let count = 0; count < 5; count++) page.fleet.put(aRow({ attention: 'Upgrading', summary: `step ${count}` }))
    page.fleet.put(aRow({ name: 'stage', attention: 'Stalled' }))
    await page.clock.advance(500)
    const { data } = (await stream.next()) ?? assert.fail()
    assert.equal((data as { row: { summary: string } }).row.summary, 'step 4')
    await page.clock.advance(500)
    page.fleet.remove('east/clusters/prod')
    assert.equal((await stream.next())?.event, 'gone')
    stream.leave()
    await ended(() => page.fleet.followers() === 1)
  })
})
