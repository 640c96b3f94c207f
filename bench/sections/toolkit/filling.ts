import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'
import { type Follower, type Following, startBareFollower, startOperator } from '../../operator/index.ts'
import type { Subject } from './subject.ts'

/** Enough for what a controller throws away; what V8 chooses by itself on a large machine is eight times as much. */
const smallYoungGeneration = ['--max-semi-space-size=16']

interface Filled {
  /** Milliseconds from the start of the process until everything is there. */
  readonly after: number
  /** Milliseconds of CPU until then. */
  readonly cpu: number
  /** Milliseconds for which the event loop stood still meanwhile: by the clock, and in CPU time. */
  readonly stall: number
  readonly cpuStall: number
  /** Milliseconds from there until every object was looked at. */
  readonly looked: number
  /** MB, once every object was looked at: as it is, and when what is not used was given back. */
  readonly resident: number
  readonly reduced: number
  /** MB of the heap. */
  readonly heap: number
}

/** From the start of an operator until its caches are filled, and what it holds then. Gives KB of the heap for each object. */
export async function measureFilling(bench: Bench, subject: Subject): Promise<number> {
  const { size, count } = subject
  const rounds = Math.max(1, bench.rounds - 1)
  const operator = await filled(() => startOperator(bench.nodeArguments), subject, 'everything', rounds)
  const bare = await filled(startBareFollower, subject, 'everything', rounds)
  const small = await filled(() => startOperator(smallYoungGeneration), subject, 'everything', 1)
  const projected = await filled(startOperator, subject, 'what is needed', 1)
  const against = (of: (filled: Filled) => number) => ({ value: of(operator), baseline: { what: 'a Map', value: of(bare) } })
  bench.add({ name: `start until ${size} are cached`, unit: 'ms', goal: goals.cacheFilled, ...against(({ after }) => after) })
  bench.add({ name: `start until ${size} are cached, CPU`, unit: 'ms', ...against(({ cpu }) => cpu) })
  bench.add({ name: `longest stall while ${size} come`, unit: 'ms', goal: goals.stall, ...against(({ stall }) => stall) })
  bench.add({ name: `longest stall while ${size} come, CPU`, unit: 'ms', goal: goals.stall, ...against(({ cpuStall }) => cpuStall) })
  bench.add({ name: `first look at ${size}`, unit: '/s', value: (count * 1000) / operator.looked })

  const name = `memory with ${size} cached`
  const memory = { unit: 'MB', ...(count === 100_000 ? { goal: goals.cacheMemory } : {}) } as const
  // `windlass operator` gives back what it does not need once it has looked at everything.
  bench.add({ name: `${name}, given back`, ...memory, ...against(({ reduced }) => reduced) })
  bench.add({ name: `${name}, given back, what is needed only`, ...memory, value: projected.reduced })
  bench.add({ name: `${name}, before it is given back`, unit: 'MB', ...against(({ resident }) => resident) })
  bench.add({ name: `${name}, before, small young generation`, unit: 'MB', value: small.resident })

  const heap = await emptyHeap(startOperator())
  const perObject = ((operator.heap - heap) * 1024) / count
  const baseline = { what: 'a Map', value: ((bare.heap - (await emptyHeap(startBareFollower()))) * 1024) / count }
  bench.add({ name: `heap per object of ${size}`, value: perObject, unit: 'KB', baseline })
  bench.add({
    name: `heap per object of ${size}, what is needed only`,
    value: ((projected.heap - heap) * 1024) / count,
    unit: 'KB',
    baseline,
  })
  return perObject
}

/** Each figure at its best: neighbours only make things slower, and when garbage is collected is a matter of luck. */
async function filled(start: () => Follower, subject: Subject, keeps: Following['keeps'], rounds: number): Promise<Filled> {
  let best = await fill(start(), subject, keeps)
  for (let round = 1; round < rounds; round++) {
    const next = await fill(start(), subject, keeps)
    best = {
      after: Math.min(best.after, next.after),
      cpu: Math.min(best.cpu, next.cpu),
      stall: Math.min(best.stall, next.stall),
      cpuStall: Math.min(best.cpuStall, next.cpuStall),
      looked: Math.min(best.looked, next.looked),
      resident: Math.min(best.resident, next.resident),
      reduced: Math.min(best.reduced, next.reduced),
      heap: Math.min(best.heap, next.heap),
    }
  }
  return best
}

async function fill(follower: Follower, { server, count }: Subject, keeps: Following['keeps']): Promise<Filled> {
  try {
    const { stall, cpuStall } = await follower.run('follow', { at: server, keeps, work: 'nothing' })
    const after = follower.age
    const cpu = follower.cpu()
    const { took: looked } = await follower.run('looked', { count })
    const { resident } = follower.memory()
    const heap = await follower.run('heap', {})
    return { after, cpu, stall, cpuStall, looked, resident, reduced: follower.memory().resident, heap }
  } finally {
    await follower.stop()
  }
}

async function emptyHeap(follower: Follower): Promise<number> {
  try {
    return await follower.run('heap', {})
  } finally {
    await follower.stop()
  }
}
