/**
 * A fleet of hosted clusters on one machine, from nothing to upgraded, as `windlass up` runs it: what a cluster costs, and whether it costs as much among
 * many as among few.
 *
 * - `laptop.ts`: the process. `releases.ts`: what its clusters are upgraded to. `pace.ts`: how fast the machine is meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostedCluster } from '@windlass/api'
import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'
import { type Cost, Laptop } from './laptop.ts'
import { nextReleases } from './releases.ts'

export { type Cost, Laptop } from './laptop.ts'
export { type Release, releasesBefore } from './releases.ts'

/** Simulated clusters are to wait for the controllers, not the other way round; much faster ones would do nothing but look at clocks. */
export const speed = 60

/** Milliseconds: what is still going on after the last cluster is done must end, and what is looked at now and then must come round. */
const calm = { settling: 60_000, resting: 60_000 }

/** Of one cluster, on the average. */
export interface Share {
  readonly cpu: number
  readonly writes: number
  /** Milliseconds of CPU that a bare write took meanwhile. */
  readonly pace: number
}

interface Result {
  readonly installed: Share
  readonly upgraded: Share
  /** MB for each cluster. */
  readonly memory: number
}

export async function measureFleet(bench: Bench): Promise<void> {
  const results: Result[] = []
  for (const clusters of bench.settings.fleet) results.push(await measureSize(bench, clusters))
  const [small] = results
  const large = results.at(-1)
  if (small === undefined || large === undefined || small === large) return
  const compare = (what: string, of: (result: Result) => number, goal?: { readonly goal: number }): void =>
    bench.add({ name: `${what}, largest fleet to smallest`, value: of(large) / of(small), unit: 'x', ...goal })
  const grown = (what: string, of: (result: Result) => number): void => compare(what, of, { goal: goals.fleetGrowth })
  grown('CPU to install a cluster', ({ installed }) => installed.cpu)
  compare('CPU to install a cluster, in bare writes', ({ installed }) => installed.cpu / installed.pace)
  grown('writes to install a cluster', ({ installed }) => installed.writes)
  grown('CPU to upgrade a cluster', ({ upgraded }) => upgraded.cpu)
  compare('CPU to upgrade a cluster, in bare writes', ({ upgraded }) => upgraded.cpu / upgraded.pace)
  grown('writes to upgrade a cluster', ({ upgraded }) => upgraded.writes)
  grown('memory of a cluster', ({ memory }) => memory)
}

async function measureSize(bench: Bench, clusters: number): Promise<Result> {
  const { generator, nodeArguments } = bench
  const laptop = await Laptop.start({ clusters, speed, directory: bench.folder(), nodeArguments, generator })
  const record = async (what: string, from: Cost, to: Cost): Promise<Share> => {
    const share = await shareOf(laptop, from, to, clusters)
    const baseline = { what: 'JSON of as many writes', value: share.writes * share.pace }
    bench.add({ name: `${clusters} clusters ${what}`, value: (to.wall - from.wall) / 1000, unit: 's' })
    bench.add({ name: `${clusters} clusters ${what}, CPU of each`, value: share.cpu, unit: 'ms', baseline, goal: goals.fleetCpu })
    bench.add({ name: `${clusters} clusters ${what}, writes of each`, value: share.writes, unit: 'writes' })
    return share
  }
  try {
    const start = await laptop.cost()
    await withoutStories(laptop)
    await laptop.until('installed', isSettled)
    const there = await laptop.cost()
    const installed = await record('installed', start, there)
    bench.add({ name: `${clusters} clusters, objects of each`, value: there.objects / clusters, unit: 'objects' })
    const memory = laptop.peakMemory()
    await rest(bench, laptop, clusters)

    await laptop.pace.taken()
    const before = await laptop.cost()
    const wanted = await upgradeAll(laptop)
    await laptop.until('upgraded', (cluster) => isSettled(cluster) && isAt(cluster, wanted))
    const upgraded = await record('upgraded', before, await laptop.cost())
    bench.add({ name: `${clusters} clusters, peak memory`, value: laptop.peakMemory(), unit: 'MB' })
    return { installed, upgraded, memory: memory / clusters }
  } finally {
    await laptop.stop()
  }
}

/** What one of so many has cost, on the average. */
export async function shareOf(laptop: Laptop, from: Cost, to: Cost, count: number): Promise<Share> {
  return { cpu: (to.cpu - from.cpu) / count, writes: (to.writes - from.writes) / count, pace: await laptop.pace.taken() }
}

/** How much of a core they take while nothing happens to them. */
async function rest(bench: Bench, laptop: Laptop, clusters: number): Promise<void> {
  await sleep(calm.settling)
  const from = await laptop.cost()
  await sleep(calm.resting)
  const to = await laptop.cost()
  const value = ((to.cpu - from.cpu) / (to.wall - from.wall)) * 100
  bench.add({ name: `${clusters} clusters at rest, of a core`, value, unit: '%', goal: goals.fleetRest })
}

/** A few clusters of every fleet are made to be upgraded by themselves, slowly or not at all. Here all are to be alike. */
export async function withoutStories(laptop: Laptop): Promise<void> {
  await laptop.until('there', () => true)
  const annotations = { 'windlass.dev/sample-upgrade': null, 'windlass.dev/sample-trouble': null }
  for (const cluster of await laptop.list())
    if (Object.keys(annotations).some((name) => cluster.metadata.annotations?.[name] !== undefined))
      await laptop.patch(cluster, { metadata: { annotations } })
}

/** Asks for the next release of every cluster at once; returns the version that each is to run, by its name. The few that run the newest stay. */
async function upgradeAll(laptop: Laptop): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<string, string>()
  const nextRelease = nextReleases()
  const patches: Promise<void>[] = []
  for (const cluster of await laptop.list()) {
    const now = cluster.status?.version?.history?.[0]?.version ?? ''
    const next = nextRelease(now)
    wanted.set(cluster.metadata.name ?? '', next?.version ?? now)
    if (next !== undefined) patches.push(laptop.patch(cluster, { spec: { release: { image: next.image } } }))
  }
  await Promise.all(patches)
  return wanted
}

/** Both sides have got to where they were to go. */
export function isSettled({ status }: HostedCluster): boolean {
  return [status?.version?.history, status?.controlPlaneVersion?.history].every((history) => history?.[0]?.state === 'Completed')
}

function isAt({ metadata, status }: HostedCluster, wanted: ReadonlyMap<string, string>): boolean {
  return status?.version?.history?.[0]?.version === wanted.get(metadata.name ?? '')
}
