import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'

/** The command as users run it. */
export const windlass = join(import.meta.dirname, '../../packages/cli/bin/windlass.js')

export interface Credentials {
  readonly server: string
  readonly ca: string
  readonly token: string
}

/** A `windlass apiserver` of its own process, in a folder of its own. */
export interface RunningServer extends Credentials {
  readonly directory: string
  readonly kubeconfig: string
  readonly process: ChildProcess
  /** Ends it as a user would, and waits. */
  stop(): Promise<number | null>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** The same data again, in a new process. */
  restart(): Promise<RunningServer>
}

export interface ServerOptions {
  readonly args?: readonly string[]
  readonly tokens?: string
  readonly directory?: string
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'windlass-'))
}

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const directory = options.directory ?? temporaryFolder()
  const kubeconfig = join(directory, 'kubeconfig')
  rmSync(kubeconfig, { force: true })
  const args = ['apiserver', '--data-dir', join(directory, 'data'), '--port', '0', '--kubeconfig', kubeconfig, ...(options.args ?? [])]
  if (options.tokens !== undefined) {
    writeFileSync(join(directory, 'tokens.csv'), options.tokens)
    args.push('--token-auth-file', join(directory, 'tokens.csv'))
  }
  const child = spawn(process.execPath, [windlass, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  await ready(child)
  return {
    ...credentialsIn(kubeconfig),
    directory,
    kubeconfig,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill('SIGTERM')
      await once(child, 'exit')
      return child.exitCode
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    restart: () => startServer({ ...options, directory }),
  }
}

/** Resolves with the first line on standard output; rejects with what was said on standard error when it ends before. */
async function ready(child: ChildProcess): Promise<void> {
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`windlass ended with status ${code}: ${errors}`)))
  })
}

interface KubeconfigFile {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority-data'?: string } }[]
  readonly users: readonly { readonly user: { readonly token: string } }[]
}

export function credentialsIn(kubeconfig: string): Credentials {
  const { clusters, users } = load(readFileSync(kubeconfig, 'utf8')) as KubeconfigFile
  const cluster = clusters[0]?.cluster
  const user = users[0]?.user
  if (cluster === undefined || user === undefined) throw new Error(`${kubeconfig} names no cluster or no user`)
  return { server: cluster.server, ca: Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64').toString(), token: user.token }
}
