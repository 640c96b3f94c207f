/** The little of RFC 6455 that a one-way stream of events needs: text to the client, pings and goodbyes from it. */

export const Opcode = { text: 0x1, close: 0x8, ping: 0x9, pong: 0xa } as const

/** A whole message from the server: never masked, never in pieces. */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const first = 0x80 | opcode
  const { length } = payload
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), payload])
  const head = Buffer.alloc(length < 65_536 ? 4 : 10)
  head[0] = first
  if (length < 65_536) {
    head[1] = 126
    head.writeUInt16BE(length, 2)
  } else {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(length), 2)
  }
  return Buffer.concat([head, payload])
}

/** Control frames carry at most this much; clients of a watch have nothing larger to say. */
const mostFromClient = 125

export interface ClientFrame {
  readonly opcode: number
  readonly payload: Buffer
}

/** Collects what a client sends until frames are complete. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  /** The frames that are complete now; undefined when the client breaks the protocol. */
  read(chunk: Buffer): readonly ClientFrame[] | undefined {
    this.#rest = Buffer.concat([this.#rest, chunk])
    const frames: ClientFrame[] = []
    for (;;) {
      const [first = 0, second = 0] = this.#rest
      if (this.#rest.length < 2) return frames
      const length = second & 0x7f
      const isMasked = (second & 0x80) !== 0
      if (!isMasked || length > mostFromClient) return undefined
      if (this.#rest.length < 6 + length) return frames
      const mask = this.#rest.subarray(2, 6)
      const payload = Buffer.from(this.#rest.subarray(6, 6 + length)).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
      frames.push({ opcode: first & 0x0f, payload: Buffer.from(payload) })
      this.#rest = this.#rest.subarray(6 + length)
    }
  }
}
