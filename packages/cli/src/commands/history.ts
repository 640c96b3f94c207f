import { Argument, type Command } from 'commander'
import type { Context } from '../context.ts'
import { addMemberOptions, addWatchOptions, namespaceOption, type WatchFlags, wideOutputOption } from '../views/options.ts'
import type { MemberFlags } from '../dashboard/members.ts'
import type { WideOutputFormat } from '../views/output-formats.ts'
import { examples } from './help.ts'

interface HistoryFlags extends MemberFlags, WatchFlags {
  readonly namespace?: string
  readonly output: WideOutputFormat
}

export function addHistory(program: Command, context: Context): void {
  const command = program
    .command('history')
    .summary('show the version history of a hosted cluster')
    .description(
      'Shows the updates of a hosted cluster, newest first, on both of its sides: the components on the management cluster, ' +
        'and what the cluster version operator of the hosted cluster reports.',
    )
    .addArgument(new Argument('<cluster>', 'the hosted cluster: NAME, NAMESPACE/NAME, or CONTEXT/NAMESPACE/NAME'))
    .addOption(namespaceOption())
    .addOption(wideOutputOption())
  addMemberOptions(addWatchOptions(command))
  examples(command, [
    ['windlass history prod', 'in whatever namespace it is'],
    ['windlass history clusters/prod -o wide', 'with the digests of the release images'],
    ['windlass history east/clusters/prod --all-contexts', 'of one context among several'],
    ['windlass history prod -n clusters -o json', 'for programs'],
  ])
  command.action(async (cluster: string, flags: HistoryFlags) => {
    const { showHistory } = await import('../views/show-history.ts')
    await showHistory(context, cluster, flags)
  })
}
