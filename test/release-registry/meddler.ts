import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What to do with an answer on its way: break it off in the middle, or send the client to another address. */
export type Meddling = { readonly breakOffAfter: number } | { readonly redirectTo: string } | undefined

/** Somebody between client and registry who reads along and meddles. */
export interface Meddler {
  readonly host: string
  /** `GET /v2/…`, and what was shown as authorization. */
  readonly seen: readonly { readonly line: string; readonly authorization: string | undefined }[]
  meddle: (line: string) => Meddling
  close(): Promise<void>
}

export async function startMeddler(target: number): Promise<Meddler> {
  const seen: { line: string; authorization: string | undefined }[] = []
  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`
    seen.push({ line, authorization: incoming.headers.authorization })
    const meddling = meddler.meddle(line)
    if (meddling !== undefined && 'redirectTo' in meddling) {
      outgoing.writeHead(307, { location: meddling.redirectTo }).end()
      return
    }
    forward(target, incoming, outgoing, meddling?.breakOffAfter ?? Infinity)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const meddler: Meddler = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    meddle: () => undefined,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return meddler
}

/** Passes on so many bytes of the body, though the headers promise all of them. */
function forward(port: number, incoming: IncomingMessage, outgoing: ServerResponse, bytes: number): void {
  const { method, url, headers } = incoming
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers: { ...headers, host: `127.0.0.1:${port}` } }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    let left = bytes
    answer.on('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left < 0) {
        answer.destroy()
        outgoing.socket?.end()
      }
    })
    answer.once('end', () => outgoing.end())
    answer.on('error', () => {})
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
}
