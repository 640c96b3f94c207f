/**
 * The nodes of a fleet on one machine, as `windlass up` runs it: clusters with three pools of three nodes each, which are made and then upgraded all at once.
 * Control planes are there before and stay as they are, so that what is measured is the nodes.
 *
 * - `pools.ts`: what is asked for, and when it is there. The process and its figures are those of `../fleet`.
 */
import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'
import { type Cost, isSettled as isInstalled, Laptop, type Share, shareOf, speed, withoutStories } from '../fleet/index.ts'
import { createPools, isAt, isSettled, nodesOfPool, poolsOfCluster, upgradePools } from './pools.ts'

/** Shares are those of one pool. */
interface Result {
  readonly created: Share
  readonly upgraded: Share
  /** MB that the nodes of each cluster have added. */
  readonly memory: number
}

export async function measureNodePools(bench: Bench): Promise<void> {
  const results: Result[] = []
  for (const clusters of bench.settings.pools) results.push(await measureSize(bench, clusters))
  const [small] = results
  const large = results.at(-1)
  if (small === undefined || large === undefined || small === large) return
  const compare = (what: string, of: (result: Result) => number, goal?: { readonly goal: number }): void =>
    bench.add({ name: `${what}, largest fleet to smallest`, value: of(large) / of(small), unit: 'x', ...goal })
  const grown = (what: string, of: (result: Result) => number): void => compare(what, of, { goal: goals.fleetGrowth })
  grown('CPU to make a pool', ({ created }) => created.cpu)
  compare('CPU to make a pool, in bare writes', ({ created }) => created.cpu / created.pace)
  grown('writes to make a pool', ({ created }) => created.writes)
  grown('CPU to upgrade a pool', ({ upgraded }) => upgraded.cpu)
  compare('CPU to upgrade a pool, in bare writes', ({ upgraded }) => upgraded.cpu / upgraded.pace)
  grown('writes to upgrade a pool', ({ upgraded }) => upgraded.writes)
  grown('memory of the nodes of a cluster', ({ memory }) => memory)
}

async function measureSize(bench: Bench, clusters: number): Promise<Result> {
  const { generator, nodeArguments } = bench
  const laptop = await Laptop.start({ clusters, pools: 0, speed, directory: bench.folder(), nodeArguments, generator })
  const pools = clusters * poolsOfCluster
  const fleet = `${pools} pools of ${nodesOfPool} nodes`
  const record = async (what: string, from: Cost, to: Cost): Promise<Share> => {
    const share = await shareOf(laptop, from, to, pools)
    bench.add({ name: `${fleet} ${what}`, value: (to.wall - from.wall) / 1000, unit: 's' })
    const baseline = { what: 'JSON of as many writes', value: share.writes * share.pace }
    bench.add({ name: `${fleet} ${what}, CPU of each pool`, value: share.cpu, unit: 'ms', baseline })
    bench.add({ name: `${fleet} ${what}, writes of each pool`, value: share.writes, unit: 'writes' })
    return share
  }
  try {
    await withoutStories(laptop)
    await laptop.until('installed', isInstalled)
    const memoryBefore = laptop.peakMemory()

    await laptop.pace.taken()
    const start = await laptop.cost()
    const wanted = await createPools(laptop)
    await laptop.untilPools(pools, 'there', isSettled)
    const there = await laptop.cost()
    const created = await record('made', start, there)
    bench.add({ name: `${fleet}, objects of each pool`, value: (there.objects - start.objects) / pools, unit: 'objects' })

    await upgradePools(laptop, wanted)
    await laptop.untilPools(pools, 'upgraded', (pool) => isSettled(pool) && isAt(pool, wanted))
    const upgraded = await record('upgraded', there, await laptop.cost())
    const memory = laptop.peakMemory()
    bench.add({ name: `${fleet}, peak memory`, value: memory, unit: 'MB' })
    return { created, upgraded, memory: (memory - memoryBefore) / clusters }
  } finally {
    await laptop.stop()
  }
}
