import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cpuOf } from '../test/support/cpu.ts'
import { type Credentials, credentialsIn, windlass } from '../test/support/windlass.ts'

export interface ServerProcess extends Credentials {
  /** Milliseconds from the start of the process to the line that says it is ready. */
  readonly readyAfter: number
  readonly directory: string
  memory(): Memory
  cpu(): number
  stop(): Promise<void>
}

/** Resident, in MB. `file` is mapped from disk: the program itself, and what of the data was looked at; the system may take it back. */
export interface Memory {
  readonly resident: number
  readonly anonymous: number
  readonly file: number
}

/** The real command in a process of its own: HTTPS, LMDB, answers after the flush. `nodeArguments` are for profiling. */
export async function startServer(directory: string, nodeArguments: readonly string[] = []): Promise<ServerProcess> {
  const kubeconfig = join(directory, 'kubeconfig')
  rmSync(kubeconfig, { force: true })
  const args = [windlass, 'apiserver', '--data-dir', join(directory, 'data'), '--port', '0', '--kubeconfig', kubeconfig]
  const started = performance.now()
  const child = spawn(process.execPath, [...nodeArguments, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(failed)])
  const readyAfter = performance.now() - started
  return {
    ...credentialsIn(kubeconfig),
    readyAfter,
    directory,
    memory: () => memoryOf(child),
    cpu: () => cpuOf(child),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

function failed(): never {
  throw new Error('the server ended before it was ready')
}

export function memoryOf({ pid }: ChildProcess): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024
  return { resident: field('VmRSS'), anonymous: field('RssAnon'), file: field('RssFile') }
}
