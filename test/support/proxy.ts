import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The network between a client and a server, with somebody at the plug. */
export interface Proxy {
  readonly port: number
  /** Cuts every connection at once, whatever is on the way. Gives how many there were. */
  cut(): number
  /** While true, new connections are cut as soon as they come. */
  isDown: boolean
  close(): Promise<void>
}

export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    if (proxy.isDown) {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => {})
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): number => {
    const connections = sockets.size / 2
    for (const socket of sockets) socket.destroy()
    return connections
  }
  const proxy: Proxy = {
    port: (server.address() as AddressInfo).port,
    cut,
    isDown: false,
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
  return proxy
}
