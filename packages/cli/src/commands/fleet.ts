import { type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { addFleetOptions, addWatchOptions, checkAt, namespaceOption, selectorOption, wideOutputOption } from '../views/options.ts'
import type { FleetRequest } from '../views/show-fleet.ts'
import { examples } from './help.ts'

export function addFleet(program: Command, context: Context): void {
  const command = program
    .command('fleet')
    .summary('show all clusters at once, worst first')
    .description(
      'Shows every cluster of a management cluster, hosted ones and classic ones, or of several: which versions run, what is upgraded, what has stalled and why. ' +
        'A cluster that cannot be reached is shown as such, never as empty. Ends with status 1 when none can be.',
    )
    .addOption(new Option('--stalled', 'only clusters whose update has stalled'))
    .addOption(new Option('--attention', 'only clusters that somebody should look at'))
    .addOption(new Option('--version <version>', 'only clusters where this runs, or is to run: 4.20.3, or 4.20 for all of that minor'))
    .addOption(selectorOption())
    .addOption(namespaceOption())
    .addOption(wideOutputOption())
  addFleetOptions(addWatchOptions(command))
  examples(command, [
    ['windlass fleet', 'the clusters of the current context'],
    ['windlass fleet --all-contexts --attention', 'of all contexts, those that somebody should look at'],
    ['windlass fleet --context east,west --version 4.19 -o wide', 'who still has 4.19, with more columns'],
    ['windlass fleet -l env=prod --watch', 'by label, until Ctrl-C'],
    ['windlass fleet -o json', 'for programs'],
  ])
  command.action(async (flags: FleetRequest) => {
    checkAt(command, flags)
    const { showFleet } = await import('../views/show-fleet.ts')
    await showFleet(context, flags)
  })
}
