import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Credentials } from '../support/windlass.ts'
import type { Report } from './server.ts'

/** The server under test, seen from outside. */
export class ServerProcess implements Credentials {
  readonly server: string
  readonly ca: string
  readonly token: string
  /** What the server itself called unforeseen. */
  readonly problems: string[]
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, ready: Report & { readonly kind: 'ready' }, problems: string[]) {
    this.#child = child
    this.server = ready.url
    this.ca = ready.ca
    this.token = ready.token
    this.problems = problems
  }

  static async start(): Promise<ServerProcess> {
    const child = fork(join(import.meta.dirname, 'server.ts'), { execArgv: ['--expose-gc'] })
    const problems: string[] = []
    child.on('message', (report: Report) => {
      if (report.kind === 'problem') problems.push(report.text)
    })
    return new ServerProcess(child, await next(child, 'ready'), problems)
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Bytes in use after a full collection. */
  async memory(): Promise<number> {
    const answer = next(this.#child, 'memory')
    this.#child.send('memory')
    return (await answer).bytes
  }

  async stop(): Promise<void> {
    if (!this.isAlive) return
    const gone = once(this.#child, 'exit')
    this.#child.disconnect()
    await gone
  }
}

function next<Kind extends Report['kind']>(child: ChildProcess, kind: Kind): Promise<Report & { readonly kind: Kind }> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the server ended with status ${code}`))
    child.once('exit', onExit)
    child.on('message', function listener(report: Report) {
      if (report.kind !== kind) return
      child.off('message', listener)
      child.off('exit', onExit)
      resolve(report as Report & { readonly kind: Kind })
    })
  })
}
