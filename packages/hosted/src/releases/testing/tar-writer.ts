/** An entry to be written. */
export interface TarContent {
  readonly path: string
  readonly content?: string | Buffer
  /** `0`, a file, unless told. */
  readonly type?: string
  /** How a path of any length is written: with ustar's prefix, a pax header, or GNU's long name. `ustar` unless told. */
  readonly style?: 'ustar' | 'pax' | 'gnu'
}

const blockSize = 512

/** A tar archive with its end mark. */
export function tarOf(contents: readonly TarContent[]): Buffer {
  return Buffer.concat([...contents.flatMap(entry), Buffer.alloc(2 * blockSize)])
}

function entry({ path, content = '', type = '0', style = 'ustar' }: TarContent): readonly Buffer[] {
  const bytes = Buffer.from(content)
  if (style === 'pax') {
    const records = Buffer.from(record('path', path))
    return [
      header('PaxHeaders/entry', records.length, 'x', 'ustar'),
      padded(records),
      header('short', bytes.length, type, 'ustar'),
      padded(bytes),
    ]
  }
  if (style === 'gnu') {
    const name = Buffer.from(`${path}\0`)
    return [
      header('././@LongLink', name.length, 'L', 'gnu'),
      padded(name),
      header(path.slice(0, 100), bytes.length, type, 'gnu'),
      padded(bytes),
    ]
  }
  return [header(path, bytes.length, type, 'ustar'), padded(bytes)]
}

/** `<length> <key>=<value>\n`: the length counts its own digits. */
export function record(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + 1
  while (String(length).length + rest !== length) length++
  return `${length} ${key}=${value}\n`
}

function header(path: string, size: number, type: string, style: 'ustar' | 'gnu'): Buffer {
  const block = Buffer.alloc(blockSize)
  const [prefix, name] = style === 'ustar' ? split(path) : ['', path]
  block.write(name, 0, 100)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write(style === 'ustar' ? 'ustar\x0000' : 'ustar  \0', 257, 'latin1')
  block.write(prefix, 345, 155)
  const checksum = block.reduce((sum, byte) => sum + byte, 0)
  block.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** A path of more than 100 bytes is cut in two at a slash. */
function split(path: string): readonly [string, string] {
  if (Buffer.byteLength(path) <= 100) return ['', path]
  const slash = path.indexOf('/', path.length - 101)
  return [path.slice(0, slash), path.slice(slash + 1)]
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((blockSize - (bytes.length % blockSize)) % blockSize)])
}
