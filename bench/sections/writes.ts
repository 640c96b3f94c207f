import { rawPuts } from '../baselines/index.ts'
import type { Bench } from '../bench.ts'
import { goals, orientation } from '../goals.ts'
import type { ServerProcess } from '../server.ts'

/** Where measured creates go, so that they do not get between the objects that other measurements count on. */
export const extraNamespace = 'extra'

const clients = 32
const objectBytes = 2430

/** Objects that creates have made so far: names are never used twice. */
let created = 0

export async function measureCreates(bench: Bench, server: ServerProcess, count: number, suffix: string): Promise<number> {
  const run = async (together: number, seconds: number) => {
    const measured = await bench.generator.run('create', {
      at: server,
      clients: together,
      from: count + created,
      namespace: extraNamespace,
      extent: { seconds },
    })
    created += measured.count
    return measured
  }
  const raw = await rawPuts(server.directory, objectBytes, clients, bench.roundSeconds)
  const many = await bench.bestOn(server, () => run(clients, bench.roundSeconds))
  let slow = Infinity
  const sixteen = await bench.best(async () => {
    const round = await run(16, bench.roundSeconds)
    slow = Math.min(slow, round.p99)
    return round
  })
  const alone = await bench.best(() => run(1, bench.roundSeconds))
  const baseline = { what: 'raw LMDB', value: raw.perSecond }
  bench.add({ name: `create ${suffix}`, value: many.perSecond, unit: '/s', baseline, orientation: orientation.creates, goal: goals.writes })
  bench.add({ name: `create ${suffix}, 16 clients`, value: sixteen.perSecond, unit: '/s', baseline, goal: goals.writes })
  bench.add({ name: `create ${suffix}, 16 clients, p99`, value: slow, unit: 'ms', goal: goals.writesSlow })
  bench.add({ name: `create ${suffix}, CPU`, value: many.cpu, unit: 'us' })
  const flush = { what: 'raw LMDB', value: raw.alone }
  bench.add({ name: `create ${suffix}, alone, p50`, value: alone.p50, unit: 'ms', baseline: flush, goal: goals.writeAlone })
  return many.perSecond
}

/** Rounds of patches so far: none may repeat what is there already, or nothing would be written. */
let patched = 1_000_000

export async function measurePatches(bench: Bench, server: ServerProcess, count: number, suffix: string): Promise<number> {
  const raw = await rawPuts(server.directory, objectBytes, clients, bench.roundSeconds)
  const measured = await bench.bestOn(server, async () => {
    const round = await bench.generator.run('patchStatus', {
      at: server,
      clients,
      objects: count,
      from: patched,
      extent: { seconds: bench.roundSeconds },
    })
    patched += round.count
    return round
  })
  const baseline = { what: 'raw LMDB', value: raw.perSecond }
  const { perSecond, p99, cpu } = measured
  bench.add({
    name: `status patch ${suffix}`,
    value: perSecond,
    unit: '/s',
    baseline,
    orientation: orientation.statusPatches,
    goal: goals.statusPatches,
  })
  bench.add({ name: `status patch ${suffix}, p99`, value: p99, unit: 'ms' })
  bench.add({ name: `status patch ${suffix}, CPU`, value: cpu, unit: 'us' })
  return perSecond
}
