import { Secret } from '@windlass/api'
import type { Embedded } from '@windlass/apiserver'
import { type Clock, systemRandom } from '@windlass/core'
import { pageFolder } from '@windlass/dashboard'
import { createDashboard, createFleet, type DashboardServer, explain } from '@windlass/fleet'
import { type Client, createMetrics, type Log } from '@windlass/kube'
import { classicSample } from '../laptop/classic/sample.ts'
import { type InProcessAccess, inProcessAccess } from '../laptop/in-process.ts'
import { version } from '../version.ts'
import { inProcessDoor } from './in-process.ts'
import type { FleetMember } from './members.ts'

export interface LaptopPageOptions {
  /** Tried in order until one is free. */
  readonly ports: readonly number[]
  readonly speed: number
  readonly hasClassic: boolean
  readonly onLinkUsed: (next: string) => void
}

export interface LaptopPageParts {
  readonly embedded: Pick<Embedded, 'server' | 'url'>
  readonly clock: Clock
  readonly log: Log
}

/** The web page of `windlass up`: its port is open, and somebody has to run it. */
export interface LaptopPage {
  readonly server: DashboardServer
  /** Until the signal is aborted; then its port is closed. */
  run(signal: AbortSignal): Promise<void>
}

/** What the kubeconfigs of our servers call them: one cluster has one name, for page and commands. */
const managementName = 'windlass'

const hour = 3_600_000

/** The page in the process of the server: what `windlass dashboard` serves, by function calls. It is a rehearsal, so people may act. */
export async function openLaptopPage(options: LaptopPageOptions, { embedded, clock, log }: LaptopPageParts): Promise<LaptopPage> {
  const { speed, hasClassic, ports } = options
  const random = systemRandom
  const access = inProcessAccess(embedded, { clock, random, log, metrics: createMetrics() })
  const parts = { embedded, clock, log }
  const ending = new AbortController()
  const members = [management(access, parts), ...(hasClassic ? [classic(access, parts, ending.signal)] : [])]
  // An hour of a simulated cluster is shorter, and so is what takes too long there.
  const threshold = hour / speed
  const fleet = createFleet({ members: members.map(({ source }) => source), clock, random, log, threshold })
  const dashboard = createDashboard({
    fleet,
    explain: async (id) => {
      const evidence = fleet.evidence(id)
      return evidence === undefined ? undefined : explain(evidence, { clock, connect: access.connect, threshold })
    },
    doors: members.map(({ door }) => door),
    page: pageFolder(),
    version,
    allowsActions: true,
    clock,
    random,
    log,
    onLinkUsed: () => options.onLinkUsed(server.link),
  })
  const server = await dashboard.listen({ host: '127.0.0.1', ports })
  return {
    server,
    async run(signal) {
      const end = (): void => ending.abort(signal.reason)
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
      try {
        await fleet.run(signal)
      } finally {
        await server.close()
        await access.client.close()
      }
    },
  }
}

function management({ client }: InProcessAccess, parts: LaptopPageParts): FleetMember {
  return {
    source: { name: managementName, connect: () => client, closes: false },
    door: inProcessDoor(managementName, '', parts.embedded, clientOptions(parts)),
  }
}

function classic({ client, connect }: InProcessAccess, parts: LaptopPageParts, signal: AbortSignal): FleetMember {
  const { name } = classicSample
  return {
    source: { name, connect: async () => connect(await classicKubeconfig(client, parts.clock, signal), name) },
    door: inProcessDoor(name, `/clusters/${name}`, parts.embedded, clientOptions(parts)),
  }
}

/** How long it may take to be made, and how often to look. */
const patience = 60_000
const pause = 250

async function classicKubeconfig(client: Client, clock: Clock, signal: AbortSignal): Promise<string> {
  const { name } = classicSample
  const start = clock.monotonic()
  for (;;) {
    const secret = await client.find(Secret, { namespace: 'kube-system', name: `${name}-kubeconfig` }, { signal })
    const encoded = secret?.data?.['kubeconfig']
    if (encoded !== undefined) return Buffer.from(encoded, 'base64').toString('utf8')
    if (clock.monotonic() - start > patience) throw new Error(`${name} was deleted: start with --no-classic to do without it`)
    await clock.sleep(pause, signal)
  }
}

function clientOptions({ clock, log }: LaptopPageParts) {
  return { clock, log, random: systemRandom, userAgent: `windlass/${version}`, fieldManager: 'windlass' }
}
