import { Argument, type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { addFleetOptions, checkAt, namespaceOption, parseLength, wideOutputOption } from '../views/options.ts'
import type { EventsRequest } from '../views/show-events.ts'
import { examples } from './help.ts'

export function addEvents(program: Command, context: Context): void {
  const command = program
    .command('events')
    .summary('show what controllers have told about clusters')
    .description(
      'Shows what controllers have told about all clusters, or about one, oldest first; with --follow also what they tell from then on.',
    )
    .addArgument(new Argument('[cluster]', 'the cluster: NAME, NAMESPACE/NAME, or CONTEXT/NAMESPACE/NAME; all of them without it'))
    .addOption(new Option('-f, --follow', 'go on with what happens, until Ctrl-C'))
    .addOption(new Option('--since <time>', 'only what happened within so much time: 1h').argParser(parseLength))
    .addOption(namespaceOption())
    .addOption(wideOutputOption())
  addFleetOptions(command)
  examples(command, [
    ['windlass events --since 1h', 'of the whole fleet'],
    ['windlass events prod --follow', 'of one cluster, until Ctrl-C'],
    ['windlass events -f -o json', 'for programs: an object in each line'],
  ])
  command.action(async (cluster: string | undefined, flags: Omit<EventsRequest, 'cluster'>) => {
    checkAt(command, flags)
    if (flags.namespace !== undefined && cluster === undefined) command.error("error: option '-n, --namespace <name>' needs a cluster")
    const { showEvents } = await import('../views/show-events.ts')
    await showEvents(context, { ...flags, ...(cluster === undefined ? {} : { cluster }) })
  })
}
