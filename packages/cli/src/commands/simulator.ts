import { type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { examples } from './help.ts'
import { filePath } from './paths.ts'
import { type LogLevel, logLevels } from './server-options.ts'
import { addSimulationOptions, type SimulationFlags } from './simulation-options.ts'

/** As commander hands them over. */
export interface SimulatorFlags extends SimulationFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly releaseCatalogue: string
  readonly standalone?: string
  readonly logLevel: LogLevel
}

export function addSimulator(program: Command, context: Context): void {
  const command = program
    .command('simulator')
    .summary('simulate what a cluster lacks')
    .description(
      'Simulates what an API server without a cluster lacks: Pods that start, load balancers, routers, and guests of hosted clusters that live. ' +
        'For the cluster of --kubeconfig or $KUBECONFIG, the one it runs in, or that of ~/.kube/config. Never for a cluster that has these things: ' +
        'both would fight over every Pod. All state is in the cluster; it can be ended and started again at any moment.',
    )
    .addOption(new Option('--kubeconfig <file>', 'how to reach the cluster').argParser(filePath))
    .addOption(new Option('--context <name>', 'context of the kubeconfig, instead of its current one'))
  addSimulationOptions(command, 1)
  command
    .addOption(
      new Option('--standalone <version>', 'also a classic cluster that can be updated; made with this version where there is none'),
    )
    .addOption(
      new Option('--release-catalogue <file>', 'the releases there are; sample is the one that comes with Windlass')
        .default('sample')
        .argParser(filePath),
    )
    .addOption(new Option('--log-level <level>', 'what to log on stderr').choices(logLevels).default('info'))
  examples(command, [
    ['windlass simulator --kubeconfig .windlass/data/kubeconfig --speed 20', 'for the server of this folder'],
    ['windlass simulator --standalone 4.19.12 --speed 20', 'a classic cluster, too: ClusterVersion, operators, pools, nodes'],
    ['windlass simulator --seed tuesday', 'the same as every time with this seed'],
  ])
  command.action(async (flags: SimulatorFlags) => {
    const { runSimulator } = await import('../simulator/run.ts')
    await runSimulator(context, flags)
  })
}
