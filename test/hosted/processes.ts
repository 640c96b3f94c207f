import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { windlass } from '../support/windlass.ts'

/** A command of ours that runs until it is told to end. */
export interface Running {
  readonly process: ChildProcess
  /** What it has logged so far. */
  log(): string
  /** Asks for its end; gives its exit status. */
  stop(): Promise<number | null>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

/** Starts a command without waiting for it to be ready. */
export function launch(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running & { readonly ready: Promise<void> } {
  const child = spawn(process.execPath, [windlass, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  // A run of tests that is cut off leaves nothing behind.
  const follow = (): void => void child.kill('SIGKILL')
  process.once('exit', follow)
  child.once('exit', () => process.removeListener('exit', follow))
  const exited = once(child, 'exit').then(([status]) => status as number | null)
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    void exited.then((status) => reject(new Error(`windlass ${args[0]} ended with status ${status}: ${log}`)))
  })
  // One that is killed before it is ready fails nobody who does not ask.
  ready.catch(() => {})
  return {
    process: child,
    ready,
    log: () => log,
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Resolves when it says that it runs. */
export async function start(args: readonly string[]): Promise<Running> {
  const running = launch(args)
  await running.ready
  return running
}
