import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Outgoing } from './asked.ts'
import type { Problem } from './problem.ts'

/** What a request gets. */
export type Answer = WholeAnswer | StreamAnswer

export interface WholeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** One that goes on: whoever opens it writes until the other side leaves. */
export interface StreamAnswer {
  readonly open: (outgoing: Outgoing) => void
}

export function json(status: number, value: object | string, headers: Readonly<Record<string, string>> = {}): WholeAnswer {
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }, body }
}

export function problemAnswer(problem: Problem): WholeAnswer {
  return json(problem.code, problem.view, problem.headers)
}

export function nothing(headers: Readonly<Record<string, string>> = {}): WholeAnswer {
  return { status: 204, headers, body: '' }
}

/** Shorter ones fit a packet as they are. */
const worthCompressing = 1400

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export type Encoding = 'br' | 'gzip'

/** The best that the other side understands. */
export function acceptedEncoding(header = ''): Encoding | undefined {
  const accepted = new Set<string>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name)
  }
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : undefined
}

/** The answer in fewer bytes, made by threads that are not this one. */
export async function compressed(answer: WholeAnswer, encoding: Encoding | undefined): Promise<WholeAnswer> {
  if (encoding === undefined || answer.body.length < worthCompressing || answer.headers['content-encoding'] !== undefined) return answer
  const body = await compress(answer.body, encoding)
  return { ...answer, headers: { ...answer.headers, 'content-encoding': encoding, vary: 'accept-encoding' }, body }
}

/** `best` is for what is compressed once and sent often. */
export function compress(body: string | Buffer, encoding: Encoding, isBest = false): Promise<Buffer> {
  if (encoding === 'gzip') return zip(body, { level: isBest ? 9 : 5 })
  return brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: isBest ? 11 : 4 } })
}
