import { join } from 'node:path'
import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'
import { JobProcess } from '../../job-process.ts'
import type { Subject } from './subject.ts'

/** The live model of a fleet: what it takes of a machine, and how long an event takes from the server to the row of its cluster. No pods, and no wire. */
export async function measureFleetModel(bench: Bench): Promise<void> {
  const medians: number[] = []
  const heaps: number[] = []
  for (const clusters of bench.settings.modelled) {
    const { median, heap } = await measure(bench, clusters)
    medians.push(median)
    heaps.push(heap / clusters)
  }
  const growth = (values: readonly number[]): number => (values.at(-1) ?? 0) / (values[0] ?? 1)
  if (medians.length < 2) return
  bench.add({ name: 'fleet model: time of an event, largest to smallest', value: growth(medians), unit: 'x', goal: goals.growth })
  bench.add({ name: 'fleet model: heap of a cluster, largest to smallest', value: growth(heaps), unit: 'x', goal: goals.growth })
}

async function measure(bench: Bench, clusters: number): Promise<{ readonly median: number; readonly heap: number }> {
  const subject = new JobProcess<Subject>(join(import.meta.dirname, 'subject.ts'), ['--expose-gc', ...bench.nodeArguments])
  const name = `fleet model of ${clusters} clusters`
  try {
    const some = Math.max(1, clusters / 10)
    const { took: bare } = await subject.run('bare', { clusters: some })
    const baseline = { what: 'the same objects made up, written and read', value: (bare * (clusters / some)) / 1000 }
    const { filled, view, json } = await subject.run('fill', { clusters })
    bench.add({ name: `${name}: until all is known`, value: filled / 1000, unit: 's', baseline })
    bench.add({ name: `${name}: first view`, value: view + json, unit: 'ms', goal: goals.firstView })
    // The first hundreds are for the compiler.
    await subject.run('events', { count: 500 })
    const times = await subject.run('events', { count: bench.settings.isQuick ? 2000 : 5000 })
    const median = times[Math.floor(times.length / 2)] ?? 0
    const slow = times[Math.floor(times.length * 0.99)] ?? 0
    bench.add({ name: `${name}: an event, median`, value: median * 1000, unit: 'us', goal: goals.fleetEvent })
    bench.add({ name: `${name}: an event, 99 of 100`, value: slow * 1000, unit: 'us' })
    const { took } = await subject.run('exposure', { fixedIn: ['4.20.3', '4.19.19', '4.18.20'] })
    bench.add({ name: `${name}: who is exposed`, value: took, unit: 'ms' })
    bench.add({ name: `${name}: memory`, value: subject.memory().resident, unit: 'MB', goal: goals.fleetMemory })
    const { heapUsed } = await subject.run('collectGarbage', {})
    bench.add({ name: `${name}: heap of a cluster`, value: heapUsed / clusters / 1024, unit: 'KB' })
    return { median, heap: heapUsed }
  } finally {
    await subject.stop()
  }
}
