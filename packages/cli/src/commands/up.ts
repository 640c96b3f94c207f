import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from '../context.ts'
import { sampleFleet, usualSize } from '../laptop/sample-fleet.ts'
import { examples } from './help.ts'
import { addServerOptions, type ServerFlags, usualPort } from './server-options.ts'
import { addSimulationOptions, type SimulationFlags } from './simulation-options.ts'
import { usualIgnitionPort, welcome } from './welcome.ts'

/** As commander hands them over. */
export interface UpFlags extends ServerFlags, SimulationFlags {
  readonly clusters: number
  readonly classic: boolean
  readonly controllers: 'all' | 'none'
}

/** An hour of a real cluster takes three minutes. */
const usualSpeed = 20

export function addUp(program: Command, context: Context): void {
  const command = program
    .command('up')
    .summary('run Windlass on this machine, with a fleet of simulated clusters')
    .description(
      'Runs Windlass on this machine: a Kubernetes API that knows every kind of an OpenShift upgrade, the controllers, a fleet of hosted ' +
        'clusters and a classic one to try them on. What a laptop does not have is simulated, 20 times as fast as it would be: the fleet comes up within a minute or two. ' +
        'Everything is kept in .windlass in the current folder; the next start goes on with it.',
    )
  command.addOption(
    new Option('--clusters <number>', 'how many hosted clusters the fleet has that an empty folder is given; 0 for none')
      .default(usualSize)
      .argParser(parseCount),
  )
  command.addOption(new Option('--no-classic', 'do without the classic cluster, which is upgraded soon after the first start'))
  addSimulationOptions(command, usualSpeed)
  command.addOption(
    new Option('--controllers <which>', 'none: run the fleet without our controllers, for windlass operator to do so')
      .choices(['all', 'none'])
      .default('all'),
  )
  addServerOptions(command, `${usualPort}, or a free one when that is in use`)
  examples(command, [
    ['windlass up', 'in this folder'],
    ['windlass up --memory', 'just to look: nothing is kept'],
    ['windlass up --memory --clusters 50 --speed 60', 'more of them, and faster'],
    ['windlass up --memory --clusters 0 --no-classic', 'only the API and the controllers, for clusters of your own'],
    ['windlass up --data-dir ~/rehearsal --port 7443', 'somewhere else'],
  ])
  command.action(async (flags: UpFlags) => {
    const [{ serve }, { allDefinitions }] = await Promise.all([import('../serve.ts'), import('../definitions.ts')])
    const { clusters, classic, speed, seed, controllers, ignitionAt = { host: '127.0.0.1', port: usualIgnitionPort } } = flags
    await serve(context, flags, {
      definitions: await allDefinitions(),
      ports: flags.port === undefined ? [usualPort, 0] : [flags.port],
      announce: (ready) => welcome(ready, flags, sampleFleet(clusters)),
      async beside(parts) {
        const { runLaptop } = await import('../laptop/index.ts')
        const options = {
          clusters,
          speed,
          seed,
          hasControllers: controllers === 'all',
          hasClassic: classic,
          ignitionAt,
        }
        await runLaptop(options, { ...parts, clock: context.clock })
      },
    })
  })
}

const most = 10_000

function parseCount(value: string): number {
  const count = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (count <= most) return count
  throw new InvalidArgumentError(`It is a whole number from 0 to ${most}.`)
}
