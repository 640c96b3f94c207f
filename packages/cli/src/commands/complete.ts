import { Argument, type Command } from 'commander'
import { askedNames } from '../completion/tree.ts'
import type { Asked } from '../completion/tree.ts'
import type { Context } from '../context.ts'
import { examples } from './help.ts'

/** What completion scripts call for names that only the cluster knows. Hidden: people have no use for it. */
export function addComplete(program: Command, { output, clock }: Context): void {
  const command = program
    .command('__complete', { hidden: true })
    .description(
      'Prints names that may stand where the cursor is, for completion scripts. Prints nothing when they cannot be found out at once.',
    )
    .addArgument(new Argument('<what>', 'which names').choices(askedNames))
    .addArgument(new Argument('[words...]', 'the line so far'))
  examples(command, [['windlass __complete clusters -- why --context east', 'names of clusters']])
  command.action(async (what: Asked, words: readonly string[]) => {
    const { namesFor } = await import('../completion/names.ts')
    const names = await namesFor(what, words, clock)
    if (names.length > 0) output.print(names.join('\n'))
  })
}
