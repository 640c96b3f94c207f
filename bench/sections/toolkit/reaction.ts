import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'
import { type Latency, latencyOf } from '../../load/index.ts'
import type { Follower } from '../../operator/index.ts'
import type { Subject } from './subject.ts'

/** From a write by somebody else to the start of the pass that it causes. */
export async function measureReaction(bench: Bench, subject: Subject, operator: Follower, bare: Follower): Promise<void> {
  const ours = await reactionOf(bench, subject, operator)
  const theirs = await reactionOf(bench, subject, bare)
  const name = `write to pass, ${subject.size} cached`
  const against = (value: number) => ({ baseline: { what: 'a Map', value } })
  bench.add({ name: `${name}, p50`, value: ours.fromSending.p50, unit: 'ms', goal: goals.reaction, ...against(theirs.fromSending.p50) })
  bench.add({ name: `${name}, p99`, value: ours.fromSending.p99, unit: 'ms', ...against(theirs.fromSending.p99) })
  bench.add({ name: `${name}, from the answer, p50`, value: ours.fromAnswer.p50, unit: 'ms', ...against(theirs.fromAnswer.p50) })
  bench.add({ name: `${name}, from the answer, p99`, value: ours.fromAnswer.p99, unit: 'ms', ...against(theirs.fromAnswer.p99) })
}

interface Reaction {
  readonly fromSending: Latency
  /** A pass that overtakes the answer to the writer counts as 0. */
  readonly fromAnswer: Latency
}

async function reactionOf(bench: Bench, subject: Subject, follower: Follower): Promise<Reaction> {
  const count = bench.settings.isQuick ? 200 : 1000
  await follower.run('listen', {})
  const { first, times } = await subject.patchSlowly(count)
  const starts = new Map(await follower.run('heard', { count }))
  const since = (from: (written: (typeof times)[number]) => number): Latency =>
    latencyOf(times.map((written, index) => Math.max(0, (starts.get(first + index) ?? Number.NaN) - from(written))))
  return { fromSending: since(({ sent }) => sent), fromAnswer: since(({ answered }) => answered) }
}
