import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from '../context.ts'
import type { CreateRequest } from '../node-pools/index.ts'
import { addClusterOptions, addSkewOptions, namespaceOption } from '../views/options.ts'
import { examples } from './help.ts'
import { filePath } from './paths.ts'

export function addCreate(program: Command, context: Context): void {
  const create = program.command('create').summary('ask for something, after checks').description('Asks for something, after checks.')
  examples(create, [['windlass create nodepool batch --cluster prod', 'two nodes more for a hosted cluster']])
  const command = create
    .command('nodepool')
    .summary('ask for nodes of a hosted cluster')
    .description(
      'Asks for nodes of a hosted cluster, after the checks that the controller would make later: architecture, platform, name, and the versions that nodes ' +
        'may have. Without --release, nodes get what the control plane has completed, which may be older than what is asked of it. A pool may be asked for ' +
        'before its cluster: name it as NAMESPACE/NAME, and a release; nothing is checked then.',
    )
    .addArgument(new Argument('<name>', 'of the new pool'))
    .addOption(new Option('--cluster <name>', 'the hosted cluster: NAME or NAMESPACE/NAME').makeOptionMandatory())
    .addOption(namespaceOption())
    .addOption(new Option('--replicas <number>', 'how many nodes').default(2).argParser(parseReplicas))
    .addOption(new Option('--release <image>', 'what nodes are made from').conflicts('followCluster'))
    .addOption(new Option('--follow-cluster', 'what is asked of the control plane, though it may not be there yet'))
    .addOption(new Option('--arch <name>', 'of the machines').choices(['amd64', 'arm64', 'ppc64le', 's390x']).default('amd64'))
    .addOption(
      new Option('--upgrade-type <type>', 'whether machines are replaced or stay (default: what suits the platform)').choices([
        'Replace',
        'InPlace',
      ]),
    )
    .addOption(new Option('--auto-repair', 'replace machines that do not work'))
    .addOption(new Option('--like <pool>', 'machines that look like those of this pool'))
    .addOption(new Option('--cores <number>', 'of a machine of KubeVirt').default(2).argParser(parseReplicas))
    .addOption(new Option('--memory <size>', 'the same').default('8Gi'))
    .addOption(new Option('--root-volume <size>', 'the same').default('32Gi'))
    .addOption(new Option('--strict', 'also refuse what is only not safe now, while the control plane is being updated'))
    .addOption(
      new Option(
        '--release-catalogue <file>',
        'releases from a file instead of from registries; sample is the one that comes with Windlass',
      ).argParser(filePath),
    )
  addClusterOptions(addSkewOptions(command))
  examples(command, [
    ['windlass create nodepool batch --cluster prod', 'two nodes of what the control plane has completed'],
    ['windlass create nodepool batch --cluster prod --replicas 5 --like prod-workers', 'machines as those of another pool'],
    ['windlass create nodepool batch --cluster prod-eu-1 --release-catalogue sample', 'in the fleet of windlass up'],
  ])
  command.action(async (name: string, flags: Omit<CreateRequest, 'name'>) => {
    const { createNodePool } = await import('../node-pools/index.ts')
    await createNodePool(context, { ...flags, name })
  })
}

export function parseReplicas(value: string): number {
  const count = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (count <= 10_000) return count
  throw new InvalidArgumentError('It is a whole number from 0 to 10000.')
}
