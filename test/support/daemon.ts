import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'undici'
import { until } from './until.ts'

/** Somebody else's server, in a process of its own. */
export interface Daemon {
  readonly url: string
  readonly port: number
  /** Ends it as a user would, and waits. */
  stop(): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

export interface DaemonOptions {
  readonly name: string
  readonly binary: string
  readonly args: readonly string[]
  readonly port: number
  /** Answers with 200 when it is ready. */
  readonly readyPath: string
  /** Where it is started; here unless told. */
  readonly folder?: string
}

/** Starts a server and waits until it says that it is ready. One that ends before tells why. */
export async function startDaemon({ name, binary, args, port, readyPath, folder }: DaemonOptions): Promise<Daemon> {
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'], ...(folder === undefined ? {} : { cwd: folder }) })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said = `${said}${chunk}`.slice(-4000)))
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(`${name} cannot be started: ${String(error)}`)
  })
  failed.catch(() => {})
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const url = `http://127.0.0.1:${port}`
  const isReady = async (): Promise<boolean> => {
    if (hasEnded()) throw new Error(`${name} ended with status ${child.exitCode}: ${said}`)
    return (await statusOf(`${url}${readyPath}`)) === 200
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (hasEnded()) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  try {
    await Promise.race([failed, until(`${name} to be ready`, isReady)])
  } catch (error) {
    // A test that has failed must not wait for it.
    await end('SIGKILL')
    throw error
  }
  return { url, port, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const { statusCode, body } = await request(url)
    await body.dump()
    return statusCode
  } catch {
    return undefined
  }
}
