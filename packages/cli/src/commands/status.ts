import { Argument, type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import {
  addClusterOptions,
  addWatchOptions,
  atOption,
  checkAt,
  type ClusterFlags,
  namespaceOption,
  outputOption,
} from '../views/options.ts'
import type { OutputFormat } from '../views/output-formats.ts'
import { detailChoices, parseDetails } from '../views/status/details.ts'
import { examples } from './help.ts'
import { folderPath } from './paths.ts'

/** As commander hands them over. */
interface StatusFlags extends ClusterFlags {
  readonly namespace?: string
  readonly details: string
  readonly output: OutputFormat
  readonly watch?: true
  readonly interval: number
  readonly from?: string
  readonly at?: number
}

export function addStatus(program: Command, context: Context): void {
  const command = program
    .command('status')
    .summary('show how an update goes')
    .description(
      'Shows how far an update is, when it should be done, what is wrong with it and what to do. Without a name, of the cluster itself; ' +
        'with one, of a cluster that is hosted there. Ends with status 2 when somebody should look: it is stalled or degraded, or there is an error.',
    )
    .addArgument(new Argument('[cluster]', 'a hosted cluster: NAME or NAMESPACE/NAME'))
    .addOption(namespaceOption())
    .addOption(detailsOption())
    .addOption(outputOption())
    .addOption(
      new Option('--from <folder>', 'objects from YAML files instead of a cluster')
        .argParser(folderPath)
        .conflicts(['kubeconfig', 'context']),
    )
    .addOption(atOption())
  addClusterOptions(addWatchOptions(command))
  examples(command, [
    ['windlass status', 'the update of this cluster'],
    ['windlass status prod --watch', 'of a cluster that is hosted here, until Ctrl-C'],
    ['windlass status --details=health', 'what is wrong, and what to do'],
    ['windlass status --from must-gather/', 'from files'],
  ])
  command.action(async (cluster: string | undefined, flags: StatusFlags) => {
    checkAt(command, flags)
    if (flags.namespace !== undefined && cluster === undefined)
      command.error("error: option '-n, --namespace <name>' needs a hosted cluster")
    const details = parseDetails(flags.details)
    const { showStatus } = await import('../views/show-status.ts')
    await showStatus(context, { ...flags, details, ...(cluster === undefined ? {} : { cluster }) })
  })
}

/** The choices are for the help and for completion; what is none of them is answered as `oc` does. */
function detailsOption(): Option {
  return new Option('--details [what]', 'more about one thing, or about all of them')
    .choices(detailChoices)
    .argParser((value) => value)
    .preset('all')
    .default('none')
}
