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
  /** Of resident memory, MB of the database. Takes milliseconds to find out. */
  databasePages(): number
  cpu(): number
  stop(): Promise<void>
}

/** Resident, in MB. What is mapped from disk counts: the program itself, and what of the database was looked at, which the system takes back when it needs the room. */
export interface Memory {
  readonly resident: number
  /** Without anything that is mapped from disk. */
  readonly anonymous: number
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
    databasePages: () => databasePagesOf(child),
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
  return { resident: field('VmRSS'), anonymous: field('RssAnon') }
}

function databasePagesOf({ pid }: ChildProcess): number {
  const mappings = readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/)
  const sizes = mappings.flatMap((mapping) => (/\.mdb\n/.test(mapping) ? [Number(/^Rss:\s+(\d+) kB/m.exec(mapping)?.[1] ?? 0)] : []))
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}
