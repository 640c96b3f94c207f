import { Argument, type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import type { ScaleRequest } from '../node-pools/index.ts'
import { addClusterOptions, namespaceOption } from '../views/options.ts'
import { parseReplicas } from './create.ts'
import { examples } from './help.ts'

export function addScale(program: Command, context: Context): void {
  const scale = program.command('scale').summary('change the size of something').description('Changes the size of something.')
  examples(scale, [['windlass scale nodepool prod-workers --replicas 5', 'five nodes, however many there are now']])
  const command = scale
    .command('nodepool')
    .summary('change how many nodes a pool has')
    .description('Changes how many nodes a pool has. A pool that is scaled by the autoscaler is left to it. No other node is touched.')
    .addArgument(new Argument('<pool>', 'NAME or NAMESPACE/NAME'))
    .addOption(new Option('--replicas <number>', 'how many nodes').makeOptionMandatory().argParser(parseReplicas))
    .addOption(namespaceOption())
  addClusterOptions(command)
  examples(command, [['windlass scale nodepool prod-workers --replicas 5', 'in whatever namespace it is']])
  command.action(async (pool: string, flags: Omit<ScaleRequest, 'pool'>) => {
    const { scaleNodePool } = await import('../node-pools/index.ts')
    await scaleNodePool(context, { ...flags, pool })
  })
}
