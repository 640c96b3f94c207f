import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'
import type { Follower, Strain } from '../../operator/index.ts'
import type { Subject } from './subject.ts'

/** What it is like to follow a server to which 32 clients write as fast as they can. */
export async function measureSteady(bench: Bench, subject: Subject, operator: Follower, bare: Follower): Promise<void> {
  const ours = await underLoad(bench, subject, operator)
  const theirs = await underLoad(bench, subject, bare)
  const name = `steady load, ${subject.size} cached`
  const against = (of: (seen: Seen) => number) => ({ value: of(ours), baseline: { what: 'a Map', value: of(theirs) } })
  bench.add({ name: `${name}, events`, unit: '/s', ...against(({ looks, took }) => (looks * 1000) / took) })
  bench.add({ name: `${name}, CPU`, unit: 'us', ...against(({ cpu, looks }) => (cpu * 1000) / looks) })
  bench.add({ name: `${name}, time in garbage collection`, unit: '%', ...against(({ collecting, took }) => (collecting / took) * 100) })
  bench.add({ name: `${name}, longest collection`, unit: 'ms', ...against(({ longestCollection }) => longestCollection) })
  bench.add({ name: `${name}, longest stall`, unit: 'ms', goal: goals.stall, ...against(({ stall }) => stall) })
  bench.add({ name: `${name}, longest stall, CPU`, unit: 'ms', goal: goals.stall, ...against(({ cpuStall }) => cpuStall) })
}

type Seen = Strain & { readonly looks: number }

async function underLoad(bench: Bench, subject: Subject, follower: Follower): Promise<Seen> {
  const seconds = bench.roundSeconds * 3
  const [seen] = await Promise.all([follower.run('observe', { seconds }), subject.patchFor(seconds)])
  return seen
}
