import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from '../context.ts'
import type { LaptopPage } from '../dashboard/index.ts'
import { makeHeapRoom } from '../laptop/heap-room.ts'
import { sampleFleet, usualSize } from '../laptop/sample-fleet.ts'
import type { Beside } from '../serve.ts'
import { examples } from './help.ts'
import { addServerOptions, parsePort, type ServerFlags, usualPagePort, usualPort } from './server-options.ts'
import { addSimulationOptions, type SimulationFlags } from './simulation-options.ts'
import { usualIgnitionPort, welcome } from './welcome.ts'

/** As commander hands them over. */
export interface UpFlags extends ServerFlags, SimulationFlags {
  readonly clusters: number
  readonly pools?: number
  readonly nodes?: number
  readonly classic: boolean
  readonly controllers: 'all' | 'none'
  readonly metricsPort?: number
  readonly dashboard: boolean
  readonly dashboardPort?: number
}

/** An hour of a real cluster takes three minutes. */
const usualSpeed = 20

export function addUp(program: Command, context: Context): void {
  const command = program
    .command('up')
    .summary('run Windlass on this machine, with a fleet of simulated clusters')
    .description(
      'Runs Windlass on this machine: a Kubernetes API that knows every kind of an OpenShift upgrade, the controllers, a fleet of hosted ' +
        'clusters and a classic one to try them on, and the web page. What a laptop does not have is simulated, 20 times as fast as it would be: the fleet comes up within a minute or two. ' +
        'Everything is kept in .windlass in the current folder; the next start goes on with it.',
    )
  command.addOption(
    new Option('--clusters <number>', 'how many hosted clusters the fleet has that an empty folder is given; 0 for none')
      .default(usualSize)
      .argParser(countUpTo(10_000)),
  )
  command.addOption(
    new Option(
      '--pools <number>',
      'how many node pools each of them has; most have one unless told, and a few have something special',
    ).argParser(countUpTo(100)),
  )
  command.addOption(new Option('--nodes <number>', 'how many nodes each pool has; 2 or 3 unless told').argParser(countUpTo(1000)))
  command.addOption(new Option('--no-classic', 'do without the classic cluster, which is upgraded soon after the first start'))
  addSimulationOptions(command, usualSpeed)
  command.addOption(
    new Option('--controllers <which>', 'none: run the fleet without our controllers, for windlass operator to do so')
      .choices(['all', 'none'])
      .default('all'),
  )
  command.addOption(new Option('--metrics-port <number>', 'serve /metrics there, for this machine only').argParser(parsePort))
  command.addOption(
    new Option(
      '--dashboard-port <number>',
      'port of the web page; 0 picks a free one (default: 8080, or a free one when that is in use)',
    ).argParser(parsePort),
  )
  command.addOption(new Option('--no-dashboard', 'do without the web page'))
  addServerOptions(command, `${usualPort}, or a free one when that is in use`)
  examples(command, [
    ['windlass up', 'in this folder'],
    ['windlass up --memory', 'just to look: nothing is kept'],
    ['windlass up --memory --clusters 50 --speed 60', 'more of them, and faster'],
    ['windlass up --memory --clusters 3 --pools 2 --nodes 5', 'few of them, with more nodes'],
    ['windlass up --memory --clusters 0 --no-classic', 'only the API and the controllers, for clusters of your own'],
    ['windlass up --data-dir ~/rehearsal --port 7443', 'somewhere else'],
  ])
  command.action(async (flags: UpFlags) => {
    makeHeapRoom(flags.clusters)
    const [{ serve }, { allDefinitions }] = await Promise.all([import('../serve.ts'), import('../definitions.ts')])
    const { clusters, classic, speed, seed, controllers, metricsPort, ignitionAt = { host: '127.0.0.1', port: usualIgnitionPort } } = flags
    const nodeWishes = {
      ...(flags.pools === undefined ? {} : { pools: flags.pools }),
      ...(flags.nodes === undefined ? {} : { nodes: flags.nodes }),
    }
    let page: LaptopPage | undefined
    await serve(context, flags, {
      definitions: await allDefinitions(),
      ports: flags.port === undefined ? [usualPort, 0] : [flags.port],
      async announce(ready, parts) {
        page = flags.dashboard ? await openPage(context, flags, parts) : undefined
        return welcome(ready, flags, sampleFleet(clusters, nodeWishes), page?.server)
      },
      async beside(parts) {
        const { runLaptop } = await import('../laptop/index.ts')
        const options = {
          clusters,
          nodeWishes,
          speed,
          seed,
          hasControllers: controllers === 'all',
          hasClassic: classic,
          ignitionAt,
          ...(metricsPort === undefined ? {} : { metricsPort }),
        }
        await Promise.all([runLaptop(options, { ...parts, clock: context.clock }), page?.run(parts.signal)])
      },
    })
  })
}

/** Its port is open when people are told of it. */
async function openPage({ output, clock }: Context, flags: UpFlags, { embedded, log }: Beside): Promise<LaptopPage> {
  const { openLaptopPage } = await import('../dashboard/index.ts')
  const { speed, classic: hasClassic, dashboardPort } = flags
  const ports = dashboardPort === undefined ? [usualPagePort, 0] : [dashboardPort]
  const onLinkUsed = (next: string): void => output.print(`The link to the web page was used. The next one: ${next}`)
  return openLaptopPage({ ports, speed, hasClassic, onLinkUsed }, { embedded, clock, log })
}

function countUpTo(most: number): (value: string) => number {
  return (value) => {
    const count = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
    if (count <= most) return count
    throw new InvalidArgumentError(`It is a whole number from 0 to ${most}.`)
  }
}
