import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** A proxy for TLS that leads to one place, wherever it is asked to lead to. */
export interface Tunnel {
  readonly host: string
  /** Where clients wanted to go: `example.com:443`. */
  readonly asked: readonly (string | undefined)[]
  close(): Promise<void>
}

export async function startTunnel(target: number): Promise<Tunnel> {
  const asked: (string | undefined)[] = []
  const sockets = new Set<Socket>()
  const server = createServer()
  server.on('connect', (incoming, near: Socket) => {
    asked.push(incoming.url)
    const far = connect(target, '127.0.0.1', () => near.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
