import { ByteReader } from './byte-reader.ts'
import { TarError } from './tar-error.ts'
import { blockSize, parseHeader, type TarHeader } from './tar-header.ts'

export { TarError } from './tar-error.ts'

/** One entry of an archive. Its contents can be read until the next entry is asked for. */
export interface TarEntry {
  /** Without a leading `/` or `./`, without a trailing `/`. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly size: number
  /** All of it. Throws a `TarError` when it is larger than `limit`. */
  read(limit: number): Promise<Buffer>
}

export interface TarLimits {
  /** Bytes in all, unpacked; 2 GiB unless told. A few kilobytes can unpack to anything. */
  readonly bytes?: number
}

const usualBytes = 2 * 1024 ** 3

/** Headers about headers (long names, extended attributes) have their own size, which must not be believed. */
const largestExtension = 1024 ** 2

const kinds: Readonly<Record<string, TarEntry['kind']>> = { '0': 'file', '7': 'file', S: 'file', '5': 'folder', '1': 'link', '2': 'link' }

/** What extension headers say about the next entry, or about all that follow. */
type Attributes = ReadonlyMap<string, string>

/**
 * The entries of a tar archive, as they come: the old format, ustar, pax extensions, GNU's long names and large sizes. Nothing is kept but what
 * the reader asks for.
 *
 * # Errors
 *
 * `TarError`. An archive that ends without its end mark is complete if it ends between two entries: some tools leave the mark out.
 */
export async function* tarEntries(chunks: AsyncIterable<Uint8Array>, limits: TarLimits = {}): AsyncGenerator<TarEntry, void, undefined> {
  const reader = new ByteReader(chunks)
  const mostBytes = limits.bytes ?? usualBytes
  let common: Attributes = new Map()
  let own: Attributes = new Map()
  try {
    for (;;) {
      const header = await readHeader(reader)
      if (header === undefined) return
      if (reader.position + header.size > mostBytes) throw new TarError(`the archive has more than ${mostBytes} bytes`)
      switch (header.type) {
        case 'x':
          own = new Map([...own, ...parseRecords(await readExtension(reader, header))])
          continue
        case 'g':
          common = new Map([...common, ...parseRecords(await readExtension(reader, header))])
          continue
        case 'L':
          own = new Map([...own, ['path', withoutZeros(await readExtension(reader, header))]])
          continue
        case 'K':
          own = new Map([...own, ['linkpath', withoutZeros(await readExtension(reader, header))]])
          continue
        default:
      }
      const attributes = new Map([...common, ...own])
      own = new Map()
      const entry = new OpenEntry(reader, header, attributes)
      if (reader.position + entry.size > mostBytes) throw new TarError(`the archive has more than ${mostBytes} bytes`)
      yield entry
      await entry.skipRest()
    }
  } finally {
    await reader.close()
  }
}

class OpenEntry implements TarEntry {
  readonly path: string
  readonly kind: TarEntry['kind']
  readonly size: number
  readonly #reader: ByteReader
  #left: number

  constructor(reader: ByteReader, header: TarHeader, attributes: Attributes) {
    const kind = kinds[header.type] ?? 'other'
    this.#reader = reader
    const name = attributes.get('path') ?? header.name
    this.path = normalised(name)
    // The oldest archives tell folders by this alone. The short name of a long one does not count: it may have been cut at a slash.
    this.kind = kind === 'file' && name.endsWith('/') ? 'folder' : kind
    // Links and folders have no contents, whatever size some tools write for them.
    this.size = kind === 'link' || this.kind === 'folder' ? 0 : sizeFrom(attributes.get('size'), header.size)
    this.#left = this.size
  }

  async read(limit: number): Promise<Buffer> {
    if (this.#left !== this.size) throw new TarError(`${this.path} was read already`)
    if (this.size > limit) throw new TarError(`${this.path} has ${this.size} bytes, more than the ${limit} that are allowed`)
    const bytes = await this.#reader.take(this.size)
    this.#left -= bytes.length
    if (this.#left > 0) throw new TarError(`the archive ends in the middle of ${this.path}`)
    return bytes
  }

  async skipRest(): Promise<void> {
    const passed = await this.#reader.skip(this.#left)
    if (passed < this.#left) throw new TarError(`the archive ends in the middle of ${this.path}`)
    await this.#reader.skip(padding(this.size))
  }
}

async function readHeader(reader: ByteReader): Promise<TarHeader | undefined> {
  const block = await reader.take(blockSize)
  if (block.length === 0) return undefined
  if (block.length < blockSize) throw new TarError('the archive ends in the middle of a header')
  const header = parseHeader(block)
  if (header?.isContinued !== true) return header
  const isContinuedAt = 504
  for (;;) {
    const more = await reader.take(blockSize)
    if (more.length < blockSize) throw new TarError('the archive ends in the middle of a header')
    if (more[isContinuedAt] !== 1) return header
  }
}

async function readExtension(reader: ByteReader, { size }: TarHeader): Promise<Buffer> {
  if (size > largestExtension)
    throw new TarError(`an extended header has ${size} bytes, more than the ${largestExtension} that are allowed`)
  const bytes = await reader.take(size)
  if (bytes.length < size) throw new TarError('the archive ends in the middle of an extended header')
  await reader.skip(padding(size))
  return bytes
}

/** Records of pax headers: `<length> <key>=<value>\n`, where the length counts itself and the line end, in bytes. */
function parseRecords(bytes: Buffer): Attributes {
  const records = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const blank = bytes.indexOf(0x20, at)
    const length = blank < 0 ? Number.NaN : Number(bytes.toString('latin1', at, blank))
    const end = at + length
    const equals = bytes.indexOf(0x3d, blank)
    if (!Number.isSafeInteger(length) || end > bytes.length || end <= blank || bytes[end - 1] !== 0x0a || equals < 0 || equals >= end) {
      throw new TarError('an extended header cannot be read')
    }
    records.set(bytes.toString('utf8', blank + 1, equals), bytes.toString('utf8', equals + 1, end - 1))
    at = end
  }
  return records
}

function sizeFrom(attribute: string | undefined, fallback: number): number {
  if (attribute === undefined) return fallback
  const size = /^\d+$/.test(attribute) ? Number(attribute) : Number.NaN
  if (!Number.isSafeInteger(size)) throw new TarError(`an extended header has the size "${attribute}"`)
  return size
}

function withoutZeros(bytes: Buffer): string {
  return bytes.toString().replace(/\0.*$/s, '')
}

/** `..` is left as it is: it matches no name that anybody looks for. */
function normalised(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}

function padding(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize
}
