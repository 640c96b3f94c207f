import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { seededRandom } from '@windlass/core'
import { uncompressed } from './layer.ts'
import { TarError } from './tar-error.ts'

const archive = Buffer.from(seededRandom('archive').bytes(10_000))

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function read(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const chunk of uncompressed(chunks)) pieces.push(chunk)
  return Buffer.concat(pieces)
}

describe('a layer', () => {
  for (const [name, compress] of [
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
    ['nothing', (bytes: Buffer) => bytes],
  ] as const) {
    it(`that is compressed with ${name} becomes an archive, in whatever pieces it comes`, async () => {
      for (const size of [3, 1000, 1e6]) assert.deepEqual(await read(inChunks(compress(archive), size)), archive)
    })
  }

  it('may be several gzip files one after the other', async () => {
    const both = Buffer.concat([gzipSync(archive), gzipSync(Buffer.from('more'))])
    assert.deepEqual(await read(inChunks(both, 1000)), Buffer.concat([archive, Buffer.from('more')]))
  })

  it('that is damaged or cut off is refused', async () => {
    const compressed = gzipSync(archive)
    const damaged = Buffer.concat([compressed.subarray(0, 10), Buffer.alloc(20, 0xff), compressed.subarray(30)])
    await assert.rejects(read(inChunks(damaged, 10)), TarError)
    await assert.rejects(read(inChunks(compressed.subarray(0, 100), 10)), TarError)
  })

  it('hands on what its source throws', async () => {
    async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
      yield gzipSync(archive).subarray(0, 50)
      throw new RangeError('the connection broke')
    }
    await assert.rejects(read(broken()), RangeError)
  })

  it('can be left early', async () => {
    for await (const chunk of uncompressed(inChunks(gzipSync(archive), 10))) {
      assert.ok(chunk.length > 0)
      break
    }
  })
})
