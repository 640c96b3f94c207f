import { Argument, type Command } from 'commander'
import type { Context } from '../context.ts'
import { addFleetOptions, addWatchOptions, checkAt, namespaceOption, wideOutputOption } from '../views/options.ts'
import type { WhyRequest } from '../views/show-why.ts'
import { examples } from './help.ts'

export function addWhy(program: Command, context: Context): void {
  const command = program
    .command('why')
    .summary('show why a cluster waits')
    .description(
      'Shows what a cluster waits for: from the cluster down to the object at the root, with what to do about it. Reads what is needed in the namespace of its control ' +
        'plane and in the cluster itself; what cannot be read is said.',
    )
    .addArgument(new Argument('<cluster>', 'the cluster: NAME, NAMESPACE/NAME, or CONTEXT/NAMESPACE/NAME; a classic one by its context'))
    .addOption(namespaceOption())
    .addOption(wideOutputOption())
  addFleetOptions(addWatchOptions(command))
  examples(command, [
    ['windlass why prod', 'in whatever namespace it is'],
    ['windlass why clusters/prod --watch', 'until Ctrl-C'],
    ['windlass why prod -o json', 'for programs'],
  ])
  command.action(async (cluster: string, flags: Omit<WhyRequest, 'cluster'>) => {
    checkAt(command, flags)
    const { showWhy } = await import('../views/show-why.ts')
    await showWhy(context, { ...flags, cluster })
  })
}
