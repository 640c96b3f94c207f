import { formatTime, parseTime } from '@windlass/core'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from '../context.ts'
import { addClusterOptions, addWatchOptions, outputOption, type WatchFlags } from '../views/options.ts'
import type { OutputFormat } from '../views/output-formats.ts'
import type { UpgradeRequest, Wish } from '../views/show-upgrade.ts'
import { examples } from './help.ts'

type WishFlags = Omit<Wish, 'version'>

/** Managed upgrades of the cluster itself. */
export function addUpgrade(program: Command, context: Context): void {
  const command = program
    .command('upgrade')
    .summary('plan, start, follow and cancel managed upgrades')
    .description('Managed upgrades of a cluster: what one would do, asking for one, how it goes, and calling it off.')
  addPlan(command, context)
  addStart(command, context)
  addSchedule(command, context)
  addShow(command, context)
  addCancel(command, context)
  examples(command, [
    ['windlass upgrade plan 4.20.5', 'what would happen'],
    ['windlass upgrade schedule 4.20.5 --at 2026-03-06T22:00:00Z', 'at night'],
    ['windlass upgrade show', 'how it goes'],
  ])
}

function addPlan(parent: Command, context: Context): void {
  const command = wishOptions(
    parent
      .command('plan')
      .summary('show what an upgrade would do')
      .description(
        'Shows what an upgrade would do: whether it can be had, what is wrong with the cluster, and its steps with the time that each may take. Changes nothing. ' +
          'Ends with status 2 when the upgrade would not get far.',
      ),
  )
    .addOption(atOption())
    .addOption(outputOption())
  examples(command, [['windlass upgrade plan 4.20.5 -o json', 'for programs']])
  command.action(async (version: string | undefined, flags: WishFlags & { readonly output: OutputFormat }) => {
    const { showPlan } = await import('../views/show-upgrade.ts')
    await showPlan(context, { ...flags, ...wanted(command, version, flags) })
  })
}

function addStart(parent: Command, context: Context): void {
  const command = wishOptions(
    parent
      .command('start')
      .summary('ask for an upgrade now')
      .description('Writes an UpgradeConfig for now, after showing the plan and asking.'),
  ).addOption(yesOption())
  examples(command, [['windlass upgrade start 4.20.5 --yes', 'without asking']])
  command.action(async (version: string | undefined, flags: WishFlags & { readonly yes?: true }) => {
    const { askForUpgrade } = await import('../views/show-upgrade.ts')
    await askForUpgrade(context, { ...flags, ...wanted(command, version, flags) })
  })
}

function addSchedule(parent: Command, context: Context): void {
  const command = wishOptions(
    parent
      .command('schedule')
      .summary('ask for an upgrade at some time')
      .description('Writes an UpgradeConfig for a time, after showing the plan and asking. One that has not begun is replaced.'),
  )
    .addOption(atOption().makeOptionMandatory())
    .addOption(yesOption())
  examples(command, [['windlass upgrade schedule 4.20.5 --at 2026-03-06T22:00:00Z', 'at night']])
  command.action(async (version: string | undefined, flags: WishFlags & { readonly yes?: true }) => {
    const { askForUpgrade } = await import('../views/show-upgrade.ts')
    await askForUpgrade(context, { ...flags, ...wanted(command, version, flags) })
  })
}

function addShow(parent: Command, context: Context): void {
  const command = parent
    .command('show')
    .summary('show how an upgrade goes')
    .description('Shows the steps of the upgrade as a timeline, and what the current one waits for. Ends with status 2 when it has failed.')
    .addOption(homeOption())
    .addOption(outputOption())
  addClusterOptions(addWatchOptions(command))
  examples(command, [['windlass upgrade show -o yaml', 'for programs']])
  command.action(async (flags: UpgradeRequest & WatchFlags & { readonly output: OutputFormat }) => {
    const { showUpgrade } = await import('../views/show-upgrade.ts')
    await showUpgrade(context, flags)
  })
}

function addCancel(parent: Command, context: Context): void {
  const command = parent
    .command('cancel')
    .summary('call an upgrade off')
    .description('Removes the UpgradeConfig, after asking. Only before the update has commenced: there is no way back from there.')
    .addOption(homeOption())
    .addOption(yesOption())
  addClusterOptions(command)
  examples(command, [['windlass upgrade cancel --yes', 'without asking']])
  command.action(async (flags: UpgradeRequest & { readonly yes?: true }) => {
    const { callOff } = await import('../views/show-upgrade.ts')
    await callOff(context, flags)
  })
}

function wishOptions(command: Command): Command {
  command
    .addArgument(new Argument('[version]', 'where to go: 4.20.5'))
    .addOption(new Option('--channel <name>', 'channel that offers it (default: that of its minor, in the group of the cluster)'))
    .addOption(new Option('--image <pullspec>', 'a release image by digest, instead of a version'))
    .addOption(new Option('--type <type>', 'whose way of upgrading (default: as the operator is configured)').choices(['OSD', 'ARO']))
    .addOption(
      new Option('--pdb-timeout <minutes>', 'how long disruption budgets are respected while nodes drain')
        .default(60)
        .argParser(parseMinutes),
    )
    .addOption(new Option('--no-capacity-reservation', 'do without extra workers'))
    .addOption(homeOption())
  return addClusterOptions(command)
}

function homeOption(): Option {
  return new Option('-n, --namespace <name>', 'where managed upgrades live')
    .env('OPERATOR_NAMESPACE')
    .default('openshift-managed-upgrade-operator')
}

function atOption(): Option {
  return new Option('--at <time>', 'when: 2026-03-06T22:00:00Z').argParser(parseMoment)
}

function yesOption(): Option {
  return new Option('-y, --yes', 'do not ask')
}

function wanted(command: Command, version: string | undefined, { image }: WishFlags): { readonly version?: string } {
  if (version === undefined && image === undefined) command.error("error: say where to go: a version, or '--image <pullspec>'")
  return version === undefined ? {} : { version }
}

function parseMinutes(value: string): number {
  if (/^\d{1,6}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('A whole number of minutes.')
}

function parseMoment(value: string): string {
  const parsed = parseTime(value)
  if (parsed !== undefined) return formatTime(parsed)
  throw new InvalidArgumentError('A moment is written like 2026-01-31T12:00:00Z.')
}
