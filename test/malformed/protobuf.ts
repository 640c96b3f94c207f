/**
 * A body in Kubernetes' protobuf envelope. The message inside is right for what every kind begins with, its metadata, and holds a
 * ConfigMap's data; enough to be read, and enough to be damaged.
 */
export function protobuf(object: unknown): Buffer {
  const { apiVersion = 'v1', kind = 'ConfigMap', metadata = {}, data = {} } = (object ?? {}) as Envelope
  const meta = message(1, Buffer.concat([text(1, metadata?.name), text(2, metadata?.generateName)]))
  const pairs = Object.entries(data ?? {}).map(([key, value]) => message(2, Buffer.concat([text(1, key), text(2, value)])))
  const type = message(1, Buffer.concat([text(1, apiVersion), text(2, kind)]))
  return Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0x00]), type, message(2, Buffer.concat([meta, ...pairs]))])
}

interface Envelope {
  readonly apiVersion?: unknown
  readonly kind?: unknown
  readonly metadata?: { readonly name?: unknown; readonly generateName?: unknown } | null
  readonly data?: object | null
}

function message(field: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2]), varint(content.length), content])
}

function text(field: number, value: unknown): Buffer {
  return value === undefined ? Buffer.alloc(0) : message(field, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}
