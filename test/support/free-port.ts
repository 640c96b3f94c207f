import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below what systems give out themselves to those who do not mind which they get: such a port stays free until it is wanted. */
const first = 20_000
const end = 32_000
const given = new Set<number>()

/** A port of this machine that nobody uses. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, end)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
