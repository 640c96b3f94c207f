/**
 * Load from a process of its own, so that what it costs to put load on a server is not counted as the server's.
 *
 * - `jobs.ts`: what can be asked for; `watches.ts`: those about watches.
 * - `process.ts`: the other process. `client.ts`: its connections. `measure.ts`: its clocks.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Jobs } from './jobs.ts'

export type { Measured } from './measure.ts'
export { expect, LoadClient } from './client.ts'

type Result<Name extends keyof Jobs> = Awaited<ReturnType<Jobs[Name]>>

export class Generator {
  readonly #child = fork(join(import.meta.dirname, 'process.ts'))

  async run<Name extends keyof Jobs>(job: Name, of: Parameters<Jobs[Name]>[0]): Promise<Result<Name>> {
    const answered = once(this.#child, 'message')
    this.#child.send({ job, of })
    const [answer] = (await answered) as [{ readonly result: Result<Name> } | { readonly error: string }]
    if ('error' in answer) throw new Error(`${job}: ${answer.error}`)
    return answer.result
  }

  stop(): void {
    this.#child.disconnect()
  }
}
