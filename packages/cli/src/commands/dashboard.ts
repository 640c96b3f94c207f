import { type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { addMemberOptions, stalledAfterOption } from '../views/options.ts'
import { examples } from './help.ts'
import { filePath } from './paths.ts'
import { type LogLevel, logLevels, parsePort } from './server-options.ts'

/** As commander hands them over. */
export interface DashboardFlags {
  readonly kubeconfig?: string
  readonly context?: readonly string[]
  readonly allContexts?: true
  readonly host: string
  readonly port?: number
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly clientCa?: string
  readonly allowActions?: true
  readonly stalledAfter: number
  readonly logLevel: LogLevel
}

export function addDashboard(program: Command, context: Context): void {
  const command = program
    .command('dashboard')
    .summary('serve the web page of a fleet')
    .description(
      'Serves the web page of a fleet: all clusters of the contexts that it is given, live. It prints a link for the person who starts it; others sign in with a token or a ' +
        'certificate of a cluster and see what they may see there. The page only shows, unless --allow-actions is given.',
    )
  addMemberOptions(command)
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 picks a free one (default: 8080, or a free one when that is in use)').argParser(
        parsePort,
      ),
    )
    .addOption(new Option('--host <address>', 'address to listen on; one that others can reach needs TLS').default('127.0.0.1'))
    .addOption(new Option('--tls-cert <file>', 'certificate of the page, in PEM').argParser(filePath))
    .addOption(new Option('--tls-key <file>', 'its key').argParser(filePath))
    .addOption(
      new Option('--client-ca <file>', 'who signs client certificates of the cluster: people with one are signed in by it').argParser(
        filePath,
      ),
    )
    .addOption(new Option('--allow-actions', 'let people change by the page what they may change in the cluster'))
    .addOption(stalledAfterOption())
    .addOption(new Option('--log-level <level>', 'which problems to log on stderr').choices(logLevels).default('warn'))
  examples(command, [
    ['windlass dashboard', 'for the current context, on this machine'],
    ['windlass dashboard --all-contexts', 'for all contexts of the kubeconfig'],
    ['windlass dashboard --context east,west --allow-actions', 'for two of them, with buttons'],
    ['windlass dashboard --host 0.0.0.0 --port 8443 --tls-cert tls.crt --tls-key tls.key --client-ca ca.crt', 'for others too'],
  ])
  command.action(async (flags: DashboardFlags) => {
    const { runDashboard } = await import('../dashboard/index.ts')
    await runDashboard(context, flags)
  })
}
