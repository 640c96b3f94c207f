import { ChunkQueue } from '../../transport/chunk-queue.ts'
import type { Transport, TransportRequest, TransportResponse, TransportStream } from '../../transport/transport.ts'

/** A server that answers everything with 200 and notes what reached it. */
export class ScriptedTransport implements Transport {
  readonly host = 'scripted'
  readonly received: string[] = []
  /** The server's ends of the streams that were opened. */
  readonly streams: ChunkQueue[] = []
  readonly left: string[] = []

  send({ method, path }: TransportRequest): Promise<TransportResponse> {
    this.received.push(`${method} ${path}`)
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(`answer ${this.received.length}`) })
  }

  stream({ method, path, signal }: TransportRequest): Promise<TransportStream> {
    this.received.push(`${method} ${path}`)
    const chunks = new ChunkQueue()
    this.streams.push(chunks)
    signal?.addEventListener('abort', () => this.left.push(path), { once: true })
    return Promise.resolve({ status: 200, headers: {}, chunks })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
