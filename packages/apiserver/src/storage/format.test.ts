import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ByteString, toByteString } from './byte-string.ts'
import type { Engine, Table } from './engine.ts'
import { MemoryEngine } from './engines/memory.ts'
import { openFormat } from './format.ts'

async function engineWith(contents: Partial<Record<Table, Readonly<Record<string, string>>>>): Promise<Engine> {
  const table = (name: Table): ReadonlyMap<ByteString, Buffer> =>
    new Map(Object.entries(contents[name] ?? {}).map(([key, value]) => [toByteString(key), Buffer.from(value)]))
  const engine = new MemoryEngine()
  await engine.commit({ objects: table('objects'), log: table('log'), index: table('index'), meta: table('meta') })
  return engine
}

describe('the format of a store', () => {
  it('is written into an empty one', async () => {
    const engine = new MemoryEngine()
    assert.deepEqual(await openFormat(engine, '/data'), { revision: 1, compacted: 0 })
    assert.equal(engine.view().get('meta', toByteString('format'))?.toString(), '1')
    assert.deepEqual(await openFormat(engine, '/data'), { revision: 1, compacted: 0 })
  })

  it('is refused when it is one that this code does not know', async () => {
    await assert.rejects(openFormat(await engineWith({ meta: { format: '7', revision: '3' } }), '/data'), {
      name: 'StoreError',
      message:
        '/data has store format 7 and this version of Windlass reads format 1: run the version that wrote it, or choose another data directory',
    })
  })

  it('is read with revision and compaction', async () => {
    const log = { '0000000000000012/a': '', '0000000000000011/a': '' }
    assert.deepEqual(await openFormat(await engineWith({ meta: { format: '1', revision: '12', compacted: '4' }, log }), '/data'), {
      revision: 12,
      compacted: 4,
    })
    assert.deepEqual(await openFormat(await engineWith({ meta: { format: '1', revision: '12', compacted: '12' } }), '/data'), {
      revision: 12,
      compacted: 12,
    })
  })

  it('is refused where its parts do not fit together', async () => {
    const broken = [
      { objects: { a: 'x' } },
      { meta: { format: '1' } },
      { meta: { format: '1', revision: 'twelve' } },
      { meta: { format: '1', revision: '12' } },
      { meta: { format: '1', revision: '12' }, log: { '0000000000000012/a': '', '0000000000000013/a': '' } },
    ]
    for (const contents of broken) {
      await assert.rejects(openFormat(await engineWith(contents), '/data'), {
        name: 'StoreError',
        message: /^\/data is damaged \(.*\): restore a backup/,
      })
    }
  })
})
