import { writeSync } from 'node:fs'
import { openLmdbStore, openSqliteStore } from '../index.ts'
import { encode } from './fixture.ts'

/**
 * The process that crash-suite.ts kills: writes without end and prints each write it was told is durable. Arguments: engine, directory, round.
 */
const [engine, directory = '', round = '0'] = process.argv.slice(2)
const store = await (engine === 'lmdb' ? openLmdbStore : openSqliteStore)({ directory })

async function write(writer: number): Promise<never> {
  for (let count = 0; ; count++) {
    const key = `root/~/pods/ns${writer}/${(count * 7) % 40}`
    const text = `${round}-${writer}-${count} ${'x'.repeat((count % 10) * 300)}`
    const { revision } = await store.write((transaction) =>
      count % 5 === 4 && transaction.get(key) !== undefined
        ? transaction.delete(key, encode(text))
        : transaction.put(key, encode(text), [`writer/${writer}`, `count/${count % 3}`]),
    )
    writeSync(1, `${revision} ${key} ${text.split(' ')[0]}\n`)
    if (count % 50 === 49 && writer === 0 && round === 'compacting') await store.compact(revision - 100)
  }
}

await Promise.all([0, 1, 2, 3, 4, 5].map(write))
