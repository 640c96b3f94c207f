import { Argument, type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import type { MemberFlags } from '../dashboard/members.ts'
import {
  addMemberOptions,
  addSkewOptions,
  addWatchOptions,
  namespaceOption,
  type SkewFlags as JudgedBy,
  type WatchFlags,
  wideOutputOption,
} from '../views/options.ts'
import type { WideOutputFormat } from '../views/output-formats.ts'
import { examples } from './help.ts'

interface SkewFlags extends MemberFlags, WatchFlags, JudgedBy {
  readonly namespace?: string
  readonly to?: string
  readonly output: WideOutputFormat
}

export function addSkew(program: Command, context: Context): void {
  const command = program
    .command('skew')
    .summary('show how far nodes are from their control plane')
    .description(
      'Shows for every node pool of a hosted cluster which version its nodes run and which they may run, judged by every version that may run in the ' +
        'control plane. With --to, also the order of moves that takes the control plane to a version and leaves no pool behind. ' +
        'Ends with status 2 when somebody should look: nodes are too old or too new, or the version cannot be reached; with 1 when nobody should, as far as could be asked.',
    )
    .addArgument(new Argument('[cluster]', 'a hosted cluster: NAME, NAMESPACE/NAME, or CONTEXT/NAMESPACE/NAME; all of them without it'))
    .addOption(namespaceOption())
    .addOption(new Option('--to <version>', 'plan the way of the control plane to this version'))
    .addOption(wideOutputOption())
  addMemberOptions(addWatchOptions(addSkewOptions(command)))
  examples(command, [
    ['windlass skew', 'every pool of every hosted cluster'],
    ['windlass skew prod', 'the pools of one'],
    ['windlass skew prod --to 4.21.1', 'who would be left behind, and in which order to move'],
    ['windlass skew prod --policy fixed:3 -o json', 'by another rule, for programs'],
  ])
  command.action(async (cluster: string | undefined, flags: SkewFlags) => {
    if (flags.to !== undefined && cluster === undefined) command.error("error: option '--to <version>' needs a hosted cluster")
    const { showSkew } = await import('../views/show-skew.ts')
    await showSkew(context, { ...flags, ...(cluster === undefined ? {} : { cluster }) })
  })
}
