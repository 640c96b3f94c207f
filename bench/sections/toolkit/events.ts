import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'
import { type Follower, startOperator, type Strain } from '../../operator/index.ts'
import type { Subject } from './subject.ts'

/**
 * From events to passes, as fast as it goes. No server makes changes fast enough, so they are made while the watch is cut, and come all at
 * once when it goes on.
 */
export async function measureEvents(bench: Bench, subject: Subject, operator: Follower, bare: Follower): Promise<void> {
  const count = Math.min(subject.count, bench.settings.isQuick ? 3000 : 20_000)
  const ours: Strain[] = []
  const theirs: Strain[] = []
  for (let round = 0; round < bench.rounds; round++) {
    await Promise.all([operator.run('pause', {}), bare.run('pause', {})])
    await subject.patch(count)
    // Who comes second finds the server with everything at hand: they take turns.
    if (round % 2 === 0) ours.push(await operator.run('catchUp', { count }))
    theirs.push(await bare.run('catchUp', { count }))
    if (round % 2 === 1) ours.push(await operator.run('catchUp', { count }))
  }
  const name = `events to passes, ${subject.size} cached`
  addRates(bench, name, rateOf(ours, count), rateOf(theirs, count))
  const fed = await feed(bench, subject, count)
  bench.add({ name: 'events to passes without network and JSON', value: fed.perSecond, unit: '/s', goal: goals.events })
  bench.add({ name: 'events to passes without network and JSON, CPU', value: fed.cpu, unit: 'us', goal: 1e6 / goals.events })
}

interface Rate {
  readonly perSecond: number
  /** Microseconds for each event: of all threads, of the one that JavaScript runs on, and of that in garbage collection. */
  readonly cpu: number
  readonly mainCpu: number
  readonly collecting: number
}

function rateOf(strains: readonly Strain[], count: number): Rate {
  const least = (of: (strain: Strain) => number): number => (Math.min(...strains.map(of)) * 1000) / count
  return {
    perSecond: 1e6 / least(({ took }) => took),
    cpu: least(({ cpu }) => cpu),
    mainCpu: least(({ mainCpu }) => mainCpu),
    collecting: least(({ collecting }) => collecting),
  }
}

function addRates(bench: Bench, name: string, ours: Rate, bare: Rate): void {
  const against = (value: number) => ({ baseline: { what: 'a Map', value } })
  const goal = 1e6 / goals.events
  bench.add({ name, value: ours.perSecond, unit: '/s', goal: goals.events, ...against(bare.perSecond) })
  bench.add({ name: `${name}, CPU`, value: ours.cpu, unit: 'us', goal, ...against(bare.cpu) })
  bench.add({ name: `${name}, CPU of the main thread`, value: ours.mainCpu, unit: 'us', goal, ...against(bare.mainCpu) })
  bench.add({ name: `${name}, collecting garbage`, value: ours.collecting, unit: 'us', ...against(bare.collecting) })
}

async function feed(bench: Bench, { server }: Subject, objects: number): Promise<Rate> {
  const operator = startOperator(bench.nodeArguments)
  try {
    return rateOf(await operator.run('feed', { at: server, objects, rounds: bench.rounds }), objects)
  } finally {
    await operator.stop()
  }
}

/** Each event makes a pass write the status, and what it wrote comes back. Against the patches that brought the events. */
export async function measureStatusWrites(bench: Bench, subject: Subject): Promise<void> {
  const count = Math.min(subject.count, bench.settings.isQuick ? 1000 : 5000)
  await subject.withOperator('status', async (operator) => {
    const patches: { readonly perSecond: number; readonly cpu: number }[] = []
    const strains: Strain[] = []
    for (let round = 0; round < bench.rounds; round++) {
      await operator.run('pause', {})
      patches.push(await subject.patch(count))
      strains.push(await operator.run('catchUp', { count }))
    }
    const { perSecond, cpu } = rateOf(strains, count)
    const against = (value: number) => ({ baseline: { what: 'undici alone', value } })
    const name = `events to status writes, ${subject.size} cached`
    bench.add({ name, value: perSecond, unit: '/s', ...against(Math.max(...patches.map((patch) => patch.perSecond))) })
    bench.add({ name: `${name}, CPU`, value: cpu, unit: 'us', ...against(Math.min(...patches.map((patch) => patch.cpu))) })
  })
}
