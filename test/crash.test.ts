import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from '@windlass/core'
import { Ledger, type State } from './crash/ledger.ts'
import { Watcher } from './crash/watcher.ts'
import { collection, Writer } from './crash/writer.ts'
import { type Client, client } from './support/client.ts'
import { type RunningServer, startServer } from './support/windlass.ts'

const rounds = 50
const writers = 6
const seed = process.env['CRASH_SEED'] ?? '1'

describe('kill -9 under write load', { concurrency: true }, () => {
  for (const engine of ['lmdb', 'sqlite']) {
    it(`B5 W3 loses nothing, gives no revision twice and leaves no gap in a watch, ${rounds} times on ${engine}`, async () => {
      const random = seededRandom(`${seed}/${engine}`)
      const ledger = new Ledger()
      const crew = Array.from({ length: writers }, (_, id) => new Writer(id, seededRandom(`${seed}/${engine}/${id}`), ledger))
      let server = await startServer({ args: ['--engine', engine] })
      let api = client(server)
      try {
        const watcher = new Watcher((await stored(api)).revision)
        let doubts = 0
        for (let round = 1; round <= rounds; round++) {
          await check(server, api, ledger, watcher, round)
          await crash(server, api, ledger, crew, random)
          await watcher.ended()
          doubts += ledger.inDoubt
          api.close()
          server = await server.restart()
          api = client(server)
        }
        await check(server, api, ledger, watcher, rounds + 1)
        watcher.close()
        api.close()
        assert.equal(await server.stop(), 0)
        assert.ok(doubts >= rounds, `only ${doubts} writes were under way when the server was killed: there was no load`)
      } finally {
        api.close()
        await server.kill()
        rmSync(server.directory, { recursive: true, force: true })
      }
    })
  }
})

/** Kills the server while all writers write: after some writes, and then at any instant of the next ones. */
async function crash(server: RunningServer, api: Client, ledger: Ledger, crew: readonly Writer[], random: Random): Promise<void> {
  const enough = ledger.acknowledged + 5 + random.below(60)
  const moment = random.next() * 10
  const work = Promise.all(crew.map((writer) => writer.run(api)))
  const kill = async (): Promise<void> => {
    while (ledger.acknowledged < enough) await Promise.race([sleep(1), work])
    await sleep(moment)
    await server.kill()
  }
  await Promise.all([work, kill()])
}

/**
 * A restarted server holds exactly what was promised, and the watch goes on from the last revision it saw: once it has shown a
 * last write of ours, it must have shown every change before that one, once and in order.
 */
async function check(server: RunningServer, api: Client, ledger: Ledger, watcher: Watcher, round: number): Promise<void> {
  const { states, revision } = await stored(api)
  assert.ok(revision >= ledger.highest, `the list is at revision ${revision}, and ${ledger.highest} was acknowledged`)
  assert.ok(revision >= watcher.last, `the list is at revision ${revision}, and a watch has shown ${watcher.last}`)
  ledger.compare(states)
  ledger.saw(revision)
  await watcher.resume(server)
  const asked = ledger.highest
  const value = String(round)
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'round' }, data: { value } }
  const { status, body } = round === 1 ? await api.send('POST', collection, object) : await api.send('PUT', `${collection}/round`, object)
  assert.equal(status, round === 1 ? 201 : 200)
  const written = Number((body.metadata as { resourceVersion: string }).resourceVersion)
  ledger.acknowledge('round', { type: round === 1 ? 'ADDED' : 'MODIFIED', value }, asked, written)
  await watcher.reach(written)
  assert.deepEqual(watcher.names().toSorted(), ledger.names().toSorted())
  for (const name of ledger.names()) assert.deepEqual(watcher.seen(name), ledger.changes(name), `what the watch has shown of ${name}`)
}

interface List {
  readonly metadata: { readonly resourceVersion: string }
  readonly items: readonly Item[]
}

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string }
  readonly data: { readonly value: string }
}

async function stored(api: Client): Promise<{ states: ReadonlyMap<string, State>; revision: number }> {
  const { metadata, items } = (await api.get(collection)) as unknown as List
  const states = new Map(
    items.map((item) => [item.metadata.name, { value: item.data.value, revision: Number(item.metadata.resourceVersion) }]),
  )
  return { states, revision: Number(metadata.resourceVersion) }
}
