import { spawnSync } from 'node:child_process'
import type { Bench } from '../bench.ts'
import { goals, orientation } from '../goals.ts'

const rounds = 5

/** From the start of the process to its first line, against Node doing nothing; and what a server holds that nobody has used. */
export async function measureStart(bench: Bench): Promise<void> {
  const bare = fastest(Array.from({ length: rounds }, startNode))
  const baseline = { what: 'node alone', value: bare }
  const directory = bench.folder()
  const first: number[] = []
  const again: number[] = []
  let idle = 0
  for (let round = 0; round < rounds; round++) {
    for (const [times, folder] of [
      [first, bench.folder()],
      [again, directory],
    ] as const) {
      const server = await bench.start(folder)
      times.push(server.readyAfter)
      idle = server.memory().resident
      await bench.stop(server)
    }
  }
  bench.add({
    name: 'ready in a new folder',
    value: fastest(first),
    unit: 'ms',
    baseline,
    orientation: orientation.ready,
    goal: goals.ready,
  })
  bench.add({
    name: 'ready in a known folder',
    value: fastest(again.slice(1)),
    unit: 'ms',
    baseline,
    orientation: orientation.ready,
    goal: goals.ready,
  })
  bench.add({ name: 'memory unused', value: idle, unit: 'MB', orientation: orientation.memory })
}

function startNode(): number {
  const started = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return performance.now() - started
}

function fastest(times: readonly number[]): number {
  return Math.min(...times)
}
