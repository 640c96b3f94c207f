import { type Command, InvalidArgumentError, Option } from 'commander'
import { defaultDataFolder, folderPath, filePath } from './paths.ts'

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** The options of every command that runs a server, as commander hands them over. */
export interface ServerFlags {
  readonly dataDir: string
  readonly kubeconfig?: string
  readonly host: string
  readonly port?: number
  readonly memory?: true
  readonly engine: 'lmdb' | 'sqlite'
  readonly tokenAuthFile?: string
  readonly plainHttp?: true
  readonly logLevel: LogLevel
}

/** The port that kubectl and people expect of a Kubernetes API. */
export const usualPort = 6443

/** The one that they expect of a web page for themselves. */
export const usualPagePort = 8080

/** `portNote` says what happens without `--port`. */
export function addServerOptions(command: Command, portNote: string): Command {
  return command
    .addOption(new Option('--data-dir <folder>', 'where objects and credentials are kept').default(defaultDataFolder).argParser(folderPath))
    .addOption(
      new Option('--kubeconfig <file>', 'where to write the kubeconfig of an admin (default: <data-dir>/kubeconfig)').argParser(filePath),
    )
    .addOption(new Option('--port <number>', `port to listen on; 0 picks a free one (default: ${portNote})`).argParser(parsePort))
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1').argParser(nonEmpty))
    .addOption(new Option('--memory', 'keep nothing on disk but the kubeconfig'))
    .addOption(
      new Option('--engine <name>', 'what keeps the data; sqlite needs no native code').choices(['lmdb', 'sqlite']).default('lmdb'),
    )
    .addOption(new Option('--token-auth-file <file>', 'more users, as CSV lines: token,user,uid,"group1,group2"').argParser(filePath))
    .addOption(new Option('--plain-http', 'HTTP instead of HTTPS: tokens can be read on the way'))
    .addOption(new Option('--log-level <level>', 'which problems to log on stderr').choices(logLevels).default('warn'))
}

/** Commander's words come before it: "argument 'x' is invalid." */
export function parsePort(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (port <= 65_535) return port
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
}

function nonEmpty(value: string): string {
  if (value !== '') return value
  throw new InvalidArgumentError('It must not be empty.')
}
