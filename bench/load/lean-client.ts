import { connect, type TLSSocket } from 'node:tls'
import type { Credentials } from '../../test/support/windlass.ts'
import { AnswerReader } from './answer-reader.ts'
import type { Answer, Sending } from './client.ts'

/**
 * As `LoadClient`, for those who do nothing but send: a request is one write to a socket, and an answer is read as far as its end is to be found. There are as many
 * connections as requests at once.
 *
 * Load and server share two cores: what the load takes is what the server lacks. With undici it took twice as much for a create, half as much again for a get.
 */
export class LeanClient {
  readonly #at: { readonly host: string; readonly port: number; readonly ca: string }
  readonly #idle: Connection[] = []
  /** What every request says, behind its path. */
  readonly #head: string
  readonly #prefix: string

  constructor({ server, ca, token }: Credentials) {
    const { host, hostname, port, pathname } = new URL(server)
    this.#at = { host: hostname, port: Number(port), ca }
    this.#prefix = pathname === '/' ? '' : pathname
    const headers = { host, authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'windlass-bench' }
    this.#head = [' HTTP/1.1', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), ''].join('\r\n')
  }

  async send({ method, path, body, type = 'application/json', keepsText = false }: Sending): Promise<Answer> {
    const connection = this.#idle.pop() ?? (await Connection.open(this.#at))
    const head = `${method} ${this.#prefix}${path}${this.#head}`
    const content = body === undefined ? '' : `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    const answer = await connection.send(`${head}${content}\r\n${body ?? ''}`, (status) => keepsText || status >= 400)
    if (answer.staysOpen) this.#idle.push(connection)
    else connection.close()
    return answer
  }

  close(): void {
    for (const connection of this.#idle) connection.close()
  }
}

interface Waiting {
  readonly reader: AnswerReader
  readonly resolve: (answer: AnswerReader) => void
  readonly reject: (error: Error) => void
}

/** One request at a time. */
class Connection {
  readonly #socket: TLSSocket
  #waiting: Waiting | undefined
  #error = new Error('the server has closed the connection')

  private constructor(socket: TLSSocket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (data: Buffer) => this.#take(data))
    socket.on('error', (error) => (this.#error = error))
    socket.once('close', () => this.#waiting?.reject(this.#error))
  }

  static open(at: { readonly host: string; readonly port: number; readonly ca: string }): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ ...at }, () => {
        socket.off('error', reject)
        resolve(new Connection(socket))
      })
      socket.once('error', reject)
    })
  }

  send(request: string, keeps: (status: number) => boolean): Promise<AnswerReader> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(this.#error)
      this.#waiting = { reader: new AnswerReader(keeps), resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(data: Buffer): void {
    const waiting = this.#waiting
    if (waiting?.reader.take(data) !== true) return
    this.#waiting = undefined
    waiting.resolve(waiting.reader)
  }
}
