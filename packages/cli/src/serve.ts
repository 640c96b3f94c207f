import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CredentialError, type Embedded, type EmbeddedOptions, parseTokenFile, startEmbedded, type StaticToken } from '@windlass/apiserver'
import type { Logger } from 'pino'
import type { ServerFlags } from './commands/server-options.ts'
import type { Context } from './context.ts'
import { ExitStatus, explainFailure, Failure, fileProblem, systemCode } from './failures.ts'
import { assertReplaceable, writeKubeconfig } from './kubeconfig-file/index.ts'
import { createLog } from './log.ts'
import { countBuffersAsHeap, keepMemorySmall } from './memory/index.ts'
import { listenForStop } from './stop-signals.ts'
import { version } from './version.ts'

/** What is to be said about a server that answers. */
export interface Ready {
  readonly url: string
  readonly port: number
  /** Absolute path. */
  readonly kubeconfig: string
  /** Absolute path; absent when everything is in memory. */
  readonly dataFolder?: string
}

export interface Serving {
  /** CustomResourceDefinitions that the server starts with. */
  readonly definitions: NonNullable<EmbeddedOptions['definitions']>
  /** Tried in order until one is free. */
  readonly ports: readonly number[]
  /** What to say when the server answers. What it opens for that ends with the signal, as `beside` does. */
  readonly announce: (ready: Ready, parts: Beside) => string | Promise<string>
  /** What runs beside the server, from the announcement until the signal is aborted. When it fails, the server ends too. */
  readonly beside?: (parts: Beside) => Promise<void>
}

export interface Beside {
  readonly embedded: Embedded
  readonly log: Logger
  readonly signal: AbortSignal
}

/**
 * Runs a server until a signal asks for its end. The kubeconfig appears when the server answers, and only then the announcement: whoever
 * waits for either can go on at once.
 */
export async function serve(context: Context, flags: ServerFlags, { definitions, ports, announce, beside }: Serving): Promise<void> {
  const log = createLog(flags.logLevel)
  const onCrash = (error: unknown): void => {
    log.fatal({ err: error }, 'crashed')
    context.output.complain(`windlass: ${explainFailure(error).sentence}`)
    context.process.exit(ExitStatus.failure)
  }
  // Before the start: a signal that comes in the middle of it must find a clean end as well.
  const stop = listenForStop(context.process, context.clock)
  context.process.on('uncaughtException', onCrash)
  try {
    const dataFolder = resolve(flags.dataDir)
    const kubeconfig = resolve(flags.kubeconfig ?? join(dataFolder, 'kubeconfig'))
    assertReplaceable(kubeconfig)
    const embedded = await start(ports, {
      ...(flags.memory === true ? {} : { directory: dataFolder, engine: flags.engine }),
      host: flags.host,
      isPlain: flags.plainHttp === true,
      tokens: flags.tokenAuthFile === undefined ? [] : readTokens(flags.tokenAuthFile),
      definitions,
      version,
      clock: context.clock,
      onProblem: (problem, error) => log.error({ err: error }, problem),
    })
    const ending = new AbortController()
    let running: Promise<void> | undefined
    try {
      countBuffersAsHeap()
      if (beside === undefined) void keepMemorySmall(context.clock, ending.signal)
      writeKubeconfig(kubeconfig, embedded.kubeconfig)
      const { url, port } = embedded
      const parts = { embedded, log, signal: ending.signal }
      context.output.print(await announce({ url, port, kubeconfig, ...(flags.memory === true ? {} : { dataFolder }) }, parts))
      log.info({ url }, 'ready')
      running = beside?.(parts)
      const signal = await Promise.race([stop.received, failureOf(running)])
      log.info({ signal }, 'stopping')
    } finally {
      ending.abort(new Error('windlass is ending'))
      await running?.catch((error: unknown) => log.debug({ err: error }, 'failed'))
      await embedded.close()
    }
  } catch (error) {
    log.debug({ err: error }, 'failed')
    throw error instanceof CredentialError
      ? new Failure(`credentials of ${resolve(flags.dataDir)}: ${error.message}`, { cause: error })
      : error
  } finally {
    stop.ignore()
    context.process.off('uncaughtException', onCrash)
  }
}

/** Rejects when it does, and stays open otherwise. */
function failureOf(running: Promise<void> | undefined): Promise<never> {
  return new Promise((_, reject) => void running?.catch(reject))
}

/** Asking the system for a port is the only honest way to learn whether it is free. */
async function start([port, ...others]: readonly number[], options: EmbeddedOptions): Promise<Embedded> {
  try {
    return await startEmbedded({ ...options, ...(port === undefined ? {} : { port }) })
  } catch (error) {
    if (others.length > 0 && systemCode(error) === 'EADDRINUSE') return start(others, options)
    throw error
  }
}

function readTokens(file: string): readonly StaticToken[] {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`the token file ${file} cannot be read: ${fileProblem(error)}`, { cause: error })
  }
  return parseTokenFile(content, file)
}
