import { Readable, type Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { TarError } from './tar-error.ts'

/** How compressed data begins. */
const compressions: readonly { readonly start: readonly number[]; readonly open: () => Transform }[] = [
  { start: [0x1f, 0x8b], open: createGunzip },
  { start: [0x28, 0xb5, 0x2f, 0xfd], open: createZstdDecompress },
]

/**
 * The tar archive of a layer. How it is compressed is read from its first bytes: media types are often wrong, bytes never.
 *
 * # Errors
 *
 * `TarError` for what cannot be decompressed; errors of `chunks` as they are.
 */
export async function* uncompressed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const source = chunks[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  let start = Buffer.alloc(0)
  while (start.length < 4) {
    const step = await source.next()
    if (step.done === true) break
    head.push(step.value)
    start = Buffer.concat([start, step.value])
  }
  const all = joined(head, source)
  const compression = compressions.find((candidate) => candidate.start.every((byte, index) => start[index] === byte))
  if (compression === undefined) yield* all
  else yield* through(all, compression.open())
}

async function* joined(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* head
  for (;;) {
    const step = await rest.next()
    if (step.done === true) return
    yield step.value
  }
}

async function* through(chunks: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Uint8Array, void, undefined> {
  const source = Readable.from(chunks, { objectMode: false })
  let sourceError: unknown
  source.once('error', (error) => {
    sourceError = error
    transform.destroy(error)
  })
  try {
    for await (const chunk of source.pipe(transform)) yield chunk as Buffer
  } catch (error) {
    throw error === sourceError ? error : new TarError('the layer cannot be decompressed', { cause: error })
  } finally {
    source.destroy()
    transform.destroy()
  }
}
