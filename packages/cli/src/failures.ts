import { CommanderError } from 'commander'

/** What the command ends with. 2 means that the command line was wrong, 1 that it was right and did not work. */
export const ExitStatus = { success: 0, failure: 1, usage: 2 } as const

/** Thrown when a command cannot do what it was asked. The message is one sentence for people: what is wrong, and what to do. */
export class Failure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Failure'
  }
}

/** Thrown when a command did what it was asked, and has told, and what it found is bad: scripts see it by the exit status. */
export class BadNews extends Error {
  override readonly name = 'BadNews'
  readonly status: number

  constructor(status: number) {
    super('what was found is bad news')
    this.status = status
  }
}

export interface Explanation {
  readonly status: number
  /** Absent when it has been said already, or when there is nothing to say. */
  readonly sentence?: string
}

/** Errors whose message was written for people, here and in the server. Known by name: loading the server for this would take longer than most commands. */
const wordedErrors: ReadonlySet<string> = new Set([
  'Failure',
  'StoreError',
  'CredentialError',
  'TokenFileError',
  'KubeconfigError',
  'LeadershipLost',
  'CacheSyncError',
  'ConnectionError',
  'ApiError',
  'InvalidCatalogueError',
])

/** The end of a command as a sentence and an exit status. */
export function explainFailure(error: unknown): Explanation {
  // Commander has printed its error, or the help that was asked for.
  if (error instanceof CommanderError) return { status: error.exitCode === 0 ? ExitStatus.success : ExitStatus.usage }
  if (error instanceof BadNews) return { status: error.status }
  return { status: ExitStatus.failure, sentence: oneLine(sentenceOf(error)) }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return unexpected(String(error))
  if (wordedErrors.has(error.name)) return error.message
  return listenSentence(error) ?? unexpected(error.message)
}

const unexpected = (message: string): string =>
  `something unexpected happened: ${message} (with --log-level debug the servers log where; please report it)`

/** Node's own errors for a port that cannot be opened. */
function listenSentence(error: Error & { syscall?: string; address?: string; port?: number; hostname?: string }): string | undefined {
  if (error.syscall === 'getaddrinfo') return `the address ${error.hostname} is not known here: choose another with --host`
  if (error.syscall !== 'listen') return undefined
  const place = `port ${error.port} on ${error.address}`
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `${place} is in use: stop what listens there, or choose another with --port (0 picks a free one)`,
    EACCES: `${place} may not be opened by this user: choose one above 1023 with --port`,
    EADDRNOTAVAIL: `this machine does not have the address ${error.address}: choose another with --host`,
  }
  return sentences[systemCode(error) ?? '']
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim()

/** The code of an error of the system (`ENOENT`); undefined for others. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Why a file could not be used, in words: `permission denied`. */
export function fileProblem(error: unknown): string {
  const words: Readonly<Record<string, string>> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOENT: 'there is no such file',
    ENOTDIR: 'a file is in the place of one of its folders',
    EEXIST: 'a file is in the place of one of its folders',
    EISDIR: 'it is a folder',
    ENOSPC: 'there is no space left',
    EDQUOT: 'there is no space left',
    ENAMETOOLONG: 'its name is too long',
  }
  return words[systemCode(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))
}
