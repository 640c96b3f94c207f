import type { Random } from '@windlass/core'
import { connect } from 'node:tls'
import type { Credentials } from '../support/windlass.ts'
import { pick } from './nasty.ts'
import { type Request, urlOf } from './request.ts'
import type { Reply } from './send.ts'

/** What no HTTP client would send: the bytes of a request, broken as bytes. */
type Breakage = (lines: readonly string[], body: Buffer, random: Random) => Buffer

const joined = (lines: readonly string[], body: Buffer, newline = '\r\n'): Buffer =>
  Buffer.concat([Buffer.from(lines.join(newline) + newline + newline, 'latin1'), body])

const withHeaders =
  (...extra: readonly string[]): Breakage =>
  (lines, body) =>
    joined([...lines.filter((line) => !/^content-length:/i.test(line)), ...extra], body)

const withFirst =
  (change: (first: string) => string): Breakage =>
  ([first = '', ...rest], body) =>
    joined([change(first), ...rest], body)

const breakages: readonly Breakage[] = [
  // Lengths that lie, and two ways to say how long a body is.
  withHeaders('content-length: -1'),
  withHeaders('content-length: x'),
  withHeaders('content-length: 99999999999999999999'),
  withHeaders('content-length: 1', 'content-length: 2'),
  withHeaders('content-length: 100000'),
  withHeaders('content-length: 5', 'transfer-encoding: chunked'),
  withHeaders('transfer-encoding: chunked'),
  withHeaders('transfer-encoding: gzip, chunked'),
  withHeaders('transfer-encoding: nonsense'),
  (lines, body) =>
    joined([...lines, 'transfer-encoding: chunked'], Buffer.from(`fffffffffffffffff\r\n${body.toString('latin1')}\r\n0\r\n\r\n`)),
  (lines, body) => joined([...lines, 'transfer-encoding: chunked'], Buffer.from(`zz\r\n${body.toString('latin1')}`)),
  // Headers that are none.
  withHeaders('no colon here'),
  withHeaders(': no name'),
  withHeaders('bad name: x'),
  withHeaders('x: \u0000'),
  withHeaders('x: a\u0080\u00ff'),
  withHeaders('x: a', ' folded'),
  withHeaders(`x: ${'y'.repeat(100_000)}`),
  withHeaders(...Array.from({ length: 3000 }, (_, index) => `x-${index}: y`)),
  withHeaders('authorization: \u00ff\u00fe'),
  withHeaders('connection: upgrade', 'upgrade: websocket', 'sec-websocket-key: x', 'sec-websocket-version: 13'),
  withHeaders('connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: x'),
  withHeaders('expect: 200-ok'),
  (lines, body) =>
    joined(
      lines.filter((line) => !/^host:/i.test(line)),
      body,
    ),
  (lines, body) => joined([...lines, 'host: a', 'host: b'], body),
  // First lines that are none.
  withFirst(() => 'nonsense'),
  withFirst(() => ''),
  withFirst((first) => first.toLowerCase()),
  withFirst((first) => first.replace('HTTP/1.1', 'HTTP/9.9')),
  withFirst((first) => first.replace('HTTP/1.1', 'HTTP/1.0')),
  withFirst((first) => first.replace(' HTTP/1.1', '')),
  withFirst((first) => first.replace(' /', ' ')),
  withFirst((first) => first.replace(' /', ' https://elsewhere/')),
  withFirst((first) => first.replace(/ \S+ /, ' * ')),
  withFirst((first) => first.replace(/^\S+ \S+/, 'CONNECT example.com:443')),
  withFirst((first) => first.replace(/^\S+/, 'GETT')),
  withFirst((first) => first.replace(' /', ' /\u00e9\u0080')),
  withFirst((first) => first.replace(' /', ' /a b')),
  withFirst((first) => first.replace(' /', ' /\u0000')),
  withFirst((first) => first.replace(' /', ` /${'x'.repeat(100_000)}`)),
  withFirst((first) => first.replace(' /', ' /%')),
  withFirst((first) => first.replace(' /', ' //////')),
  withFirst((first) => first.replace(' /', ' /?')),
  withFirst((first) => first.replace(' /', ' /#')),
  // Everything else.
  (lines, body) => joined(lines, body, '\n'),
  (lines, body) => joined(lines, body).subarray(0, 40),
  (lines, body, random) => joined(lines, body).subarray(0, random.below(lines.join('').length)),
  (lines, body) => Buffer.concat([joined(lines, body), Buffer.from('garbage\r\n\r\n')]),
  (_, _body, random) => Buffer.from(random.bytes(200)),
  () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  (lines, body, random) => {
    const bytes = joined(lines, body)
    for (let count = 0; count < 3; count++) bytes[random.below(bytes.length)] = random.below(256)
    return bytes
  },
]

export function broken(request: Request, token: string, random: Random): Buffer {
  const body = request.body ?? Buffer.alloc(0)
  const lines = [
    `${request.method} ${urlOf(request)} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
  ]
  return pick(random, breakages)(lines, body, random)
}

/**
 * Sends bytes on a connection of their own, says that no more will come, and gives what the server says until it closes: empty when it
 * only closes. Rejects when it does not close.
 */
export async function sendRaw({ server, ca }: Credentials, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(server)
  const socket = connect({ host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'] })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.end(bytes)
  let limit: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(() => {
      socket.destroy()
      reject(new Error('the connection stayed open'))
    }, 20_000)
  })
  try {
    await Promise.race([closed, late])
  } finally {
    clearTimeout(limit)
  }
  return Buffer.concat(chunks).toString('latin1')
}

/** The first of the answers in what a server said; undefined when it only hung up. That it is ready to hear more is no answer. */
export function firstReply(said: string): Reply | undefined {
  const answers = said.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n)+/, '')
  if (answers === '') return undefined
  const [head = '', ...rest] = answers.split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0)
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  return { status, type: /^content-type: (.*)/im.exec(head)?.[1] ?? '', text: rest.join('\r\n\r\n').slice(0, length) }
}
