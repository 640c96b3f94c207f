import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Store } from '../store.ts'
import { textOf, withDirectory } from './fixture.ts'

const writer = fileURLToPath(new URL('./crash-writer.ts', import.meta.url))

/** After how many acknowledged writes each round is killed. The moment within the running flush is up to chance. */
const rounds = [1, 37, 160, 420]

interface Acknowledged {
  readonly revision: number
  readonly key: string
  readonly mark: string
}

/** B5: killed at any point, the store opens by itself, has every acknowledged write, and its revision only goes up. */
export function describeCrash(engine: 'lmdb' | 'sqlite', open: (directory: string) => Promise<Store>): void {
  describe(`a process killed while it writes to ${engine}`, () => {
    it('B5 loses no acknowledged write and reuses no revision', () =>
      withDirectory(async (directory) => {
        const acknowledged: Acknowledged[] = []
        let newest = 1
        for (const [round, count] of rounds.entries()) {
          const heard = await writeUntilKilled([engine, directory, String(round)], count)
          for (const { revision } of heard) assert.ok(revision > newest, `revision ${revision} was taken before`)
          acknowledged.push(...heard)
          const store = await open(directory)
          newest = store.revision()
          checkWhole(store, acknowledged)
          await store.close()
        }
      }))

    it('B5 survives being killed while it compacts', () =>
      withDirectory(async (directory) => {
        const heard = await writeUntilKilled([engine, directory, 'compacting'], 500)
        const store = await open(directory)
        assert.ok(store.revision() >= Math.max(...heard.map(({ revision }) => revision)))
        const kept = [...store.changes(store.compacted())]
        assert.equal(kept.length, store.revision() - Math.max(1, store.compacted()))
        assert.equal(store.count('root/~/pods/'), [...store.scan('')].length)
        await store.compact(store.revision())
        assert.deepEqual([...store.changes(store.revision())], [])
        await store.close()
      }))
  })
}

async function writeUntilKilled(arguments_: readonly string[], count: number): Promise<readonly Acknowledged[]> {
  const child = spawn(process.execPath, [writer, ...arguments_], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output.split('\n').length > count) child.kill('SIGKILL')
  })
  const [, signal] = await once(child, 'close')
  assert.equal(signal, 'SIGKILL')
  return output
    .split('\n')
    .slice(0, -1)
    .map((row) => {
      const [revision, key = '', mark = ''] = row.split(' ')
      return { revision: Number(revision), key, mark }
    })
}

/** Nothing was compacted: the log tells the whole story, and everything else must agree with it. */
function checkWhole(store: Store, acknowledged: readonly Acknowledged[]): void {
  const changes = [...store.changes(1)]
  assert.deepEqual(
    changes.map(({ revision }) => revision),
    Array.from({ length: store.revision() - 1 }, (_, index) => index + 2),
  )
  for (const { revision, key, mark } of acknowledged) {
    const change = changes[revision - 2]
    assert.equal(change?.key, key)
    assert.equal(textOf(change)?.split(' ')[0], mark)
  }
  const state = new Map<string, number>()
  for (const { type, key, revision, previous } of changes) {
    assert.equal(previous?.revision, state.get(key))
    if (type === 'deleted') state.delete(key)
    else state.set(key, revision)
  }
  assert.deepEqual(
    new Map(Array.from(store.scan(''), ({ key, revision }) => [key, revision])),
    new Map([...state].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
  assert.equal(store.count('root/~/pods/'), state.size)
  assert.equal([...store.indexed('writer/')].length, state.size)
  assert.equal([...store.indexed('count/')].length, state.size)
}
