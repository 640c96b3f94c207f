import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpuOf } from '../test/support/cpu.ts'
import { type Memory, memoryOf } from './server.ts'

/** What a process can be asked for, and what it answers. Both cross from process to process as JSON. */
type JobsOf<Jobs> = { readonly [Name in keyof Jobs]: (of: never) => Promise<unknown> }

/** A process of ours that does one job at a time. What runs in it is `serveJobs(…)`. */
export class JobProcess<Jobs extends JobsOf<Jobs>> {
  readonly #child: ChildProcess
  readonly #startedAt = performance.now()

  constructor(file: string, nodeArguments: readonly string[] = []) {
    this.#child = fork(file, { execArgv: [...nodeArguments] })
  }

  async run<Name extends keyof Jobs & string>(job: Name, of: Parameters<Jobs[Name]>[0]): Promise<Awaited<ReturnType<Jobs[Name]>>> {
    const ended = new AbortController()
    const { signal } = ended
    const failed = once(this.#child, 'exit', { signal }).then(([code, by]) => {
      throw new Error(`${job}: the process has ended with ${code ?? by}`)
    })
    failed.catch(() => {})
    try {
      const answered = once(this.#child, 'message', { signal })
      this.#child.send({ job, of })
      const [answer] = (await Promise.race([answered, failed])) as [
        { readonly result: Awaited<ReturnType<Jobs[Name]>> } | { readonly error: string },
      ]
      if ('error' in answer) throw new Error(`${job}: ${answer.error}`)
      return answer.result
    } finally {
      ended.abort()
    }
  }

  /** Milliseconds since the process was started. */
  get age(): number {
    return performance.now() - this.#startedAt
  }

  memory(): Memory {
    return memoryOf(this.#child)
  }

  cpu(): number {
    return cpuOf(this.#child)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }
}

interface Order<Jobs> {
  readonly job: keyof Jobs
  readonly of: never
}

/** The other side: does what the parent asks for, and ends with it. */
export function serveJobs<Jobs extends JobsOf<Jobs>>(jobs: Jobs): void {
  process.on('message', ({ job, of }: Order<Jobs>) => {
    jobs[job](of).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.once('disconnect', () => process.exit())
}
