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

/** Resolves when it says that it is ready. */
export async function startOperator(
  kubeconfig: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<OperatorProcess> {
  const child = spawn(process.execPath, [windlass, 'operator', '--kubeconfig', kubeconfig, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let log = ''
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const exited = once(child, 'exit').then(([status]) => status as number | null)
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('\n')) resolve()
    })
    void exited.then((status) => reject(new Error(`windlass operator ended with status ${status}: ${log}`)))
  })
  return {
    process: child,
    url: /http:\S+/.exec(said)?.[0] ?? '',
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

/** The server's kubeconfig, with another way to it. */
export function kubeconfigThrough(server: RunningServer, url: string, name: string): string {
  const file = join(server.directory, `${name}.kubeconfig`)
  writeFileSync(file, readFileSync(server.kubeconfig, 'utf8').replaceAll(server.server, url))
  return file
}
