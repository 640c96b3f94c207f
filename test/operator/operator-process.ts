import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningServer, windlass } from '../support/windlass.ts'

/** A `windlass operator` of its own process. */
export interface OperatorProcess {
  readonly process: ChildProcess
  /** Where its endpoints are; empty when it was told of none. */
  readonly url: string
  /** What it has logged so far. */
  log(): string
  /** Asks for its end; gives its exit status. */
  stop(): Promise<number | null>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  exited(): Promise<number | null>
}

/** Starts one without waiting for it to be ready. */
export function launchOperator(
  kubeconfig: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): OperatorProcess & { readonly ready: Promise<void> } {
  const child = spawn(process.execPath, [windlass, 'operator', '--kubeconfig', kubeconfig, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let log = ''
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const exited = once(child, 'exit').then(([status]) => status as number | null)
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('\n')) resolve()
    })
    void exited.then((status) => reject(new Error(`windlass operator ended with status ${status}: ${log}`)))
  })
  // One that is killed before it is ready fails nobody who does not ask.
  ready.catch(() => {})
  return {
    process: child,
    ready,
    get url() {
      return /http:\S+/.exec(said)?.[0] ?? ''
    },
    log: () => log,
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    exited: () => exited,
  }
}

/** Resolves when it says that it is ready. */
export async function startOperator(...args: Parameters<typeof launchOperator>): Promise<OperatorProcess> {
  const operator = launchOperator(...args)
  await operator.ready
  return operator
}

/** The server's kubeconfig, with another way to it. */
export function kubeconfigThrough(server: RunningServer, url: string, name: string): string {
  const file = join(server.directory, `${name}.kubeconfig`)
  writeFileSync(file, readFileSync(server.kubeconfig, 'utf8').replaceAll(server.server, url))
  return file
}
