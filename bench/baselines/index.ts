/**
 * What the same would cost with nothing of ours in between.
 *
 * - `bare-server.ts`: Node's HTTPS server, answering with bytes it has.
 * - `raw-lmdb.ts`: LMDB, putting values and flushing them.
 * - `bare-writes.ts`: JSON, read and written. `bare-follower.ts`: a watch, followed into a `Map`.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Credentials } from '../../test/support/windlass.ts'
import { cpuOf } from '../../test/support/cpu.ts'
import { type Memory, memoryOf, type ServerProcess } from '../server.ts'

export { rawPuts } from './raw-lmdb.ts'

export interface BareServer extends Credentials {
  memory(): Memory
  cpu(): number
  stop(): void
}

/** Answers `/0`, `/1`, … with `bodies`, with the certificate of `like`. */
export async function startBareServer(like: ServerProcess, bodies: readonly string[]): Promise<BareServer> {
  const files = bodies.map((body, index) => {
    const file = join(like.directory, `body-${index}`)
    writeFileSync(file, body)
    return file
  })
  const pki = join(like.directory, 'data', 'pki')
  const child: ChildProcess = fork(join(import.meta.dirname, 'bare-server.ts'), [
    join(pki, 'server.crt'),
    join(pki, 'server.key'),
    ...files,
  ])
  const [port] = (await once(child, 'message')) as [number]
  return {
    server: `https://127.0.0.1:${port}`,
    ca: like.ca,
    token: like.token,
    memory: () => memoryOf(child),
    cpu: () => cpuOf(child),
    stop: () => child.disconnect(),
  }
}
