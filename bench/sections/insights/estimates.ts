import { ClusterOperator } from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { insightControllers } from '@windlass/insights'
import type { Client } from '@windlass/kube'
import { simulate } from '@windlass/kube/simulation'
import { clusterControllers, place, standaloneCluster } from '@windlass/simulator'
import {
  definitions,
  type Sample,
  type WatchedUpdate,
  watchUpdates,
  type WatchOptions,
} from '../../../packages/cli/src/simulator/testing/index.ts'
import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'

const versions = ['4.19.11', '4.19.12', '4.19.13', '4.19.14', '4.19.15'] as const
/** The last of them is held up: nothing moves from the moment in which it comes to this operator for so many minutes. */
const held = { to: '4.19.15', operator: 'network', minutes: 150 } as const
const minute = 60_000
/** Not 1: how wide ranges are was chosen by looking at that cluster. */
const seeds = [2, 3, 4, 5] as const

const given = (client: Client): Promise<void> =>
  place(client, standaloneCluster({ release: { version: '4.19.10', image: aReleaseImage('4.19.10') }, installed: Date.UTC(2025, 11, 31) }))

/**
 * How good estimates are: of clusters that are updated five times, looked at every minute from the second update on. The last update is held up for two
 * hours and a half, which no estimate can know before; there it counts what is promised meanwhile.
 */
export async function measureEstimates(bench: Bench): Promise<void> {
  const ordinary: Told[] = []
  const stalled: Told[] = []
  for (const seed of bench.settings.isQuick ? seeds.slice(0, 1) : seeds) {
    const [, ...updates] = await updatesOf(seed)
    ordinary.push(...updates.slice(0, -1).map(toldOf))
    stalled.push(...updates.slice(-1).map(toldOf))
  }
  const both = (
    name: string,
    unit: '%' | 's',
    of: (told: Told, which: Which) => readonly number[],
    from: readonly Told[],
    goal?: number,
  ) => {
    const value = mean(from.flatMap((told) => of(told, 'learned')))
    const baseline = { what: 'the compatible estimate', value: mean(from.flatMap((told) => of(told, 'compatible'))) }
    bench.add({ name, value, unit, baseline, ...(goal === undefined ? {} : { goal }) })
  }
  both('estimate: error, of the duration', '%', errors, ordinary, goals.estimateError)
  both('estimate: put off while an update runs', 's', putOff, ordinary)
  both('estimate: nothing is said', '%', silence, ordinary)
  bench.add({
    name: 'estimate: the end is outside of the range',
    value: mean(ordinary.flatMap(misses)),
    unit: '%',
    goal: goals.estimateMisses,
  })
  bench.add({ name: 'estimate: width of the range, of the duration', value: mean(ordinary.flatMap(widths)), unit: '%' })
  both('estimate of an update that stands still: an end is promised', '%', promises, stalled)
  both('estimate of an update that stands still: put off', 's', putOff, stalled)
}

async function updatesOf(seed: number): Promise<readonly WatchedUpdate[]> {
  let updates: readonly WatchedUpdate[] = []
  await simulate({
    seed,
    definitions,
    given,
    controllers: () => [...clusterControllers({ seed }), ...insightControllers()],
    async world(world) {
      const fail = async (what: string | null): Promise<void> => {
        const annotations = { 'simulator.windlass.dev/fail': what }
        await world.client.patch(ClusterOperator, { name: held.operator }, { metadata: { annotations } })
      }
      const meddle: NonNullable<WatchOptions['meddle']> = async (to, at) => {
        if (to === held.to && at === 0) await fail('stuck')
        if (to === held.to && at === held.minutes) await fail(null)
      }
      updates = await watchUpdates(world, { versions, meddle })
    },
  })
  return updates
}

type Which = 'learned' | 'compatible'

/** An update with what was said about its control plane while that was updated. */
interface Told extends Pick<WatchedUpdate, 'startedAt' | 'endedAt'> {
  readonly samples: readonly Sample[]
}

function toldOf({ startedAt, endedAt, samples }: WatchedUpdate): Told {
  return { startedAt, endedAt, samples: samples.filter(({ at }) => at < endedAt) }
}

/** The end that was given at a moment, if any was. */
function endIn({ learned, compatible }: Sample, which: Which): number | undefined {
  if (which === 'compatible') return compatible
  return learned?.state === 'expected' ? learned.likely : undefined
}

const percent = (part: number, of: number): number => (100 * part) / of

function errors({ samples, startedAt, endedAt }: Told, which: Which): readonly number[] {
  return samples.flatMap((sample) => {
    const end = endIn(sample, which)
    return end === undefined ? [] : [percent(Math.abs(end - endedAt), endedAt - startedAt)]
  })
}

/** By how many seconds in all the promised end was moved further away: for the learned one, the end of its range. */
function putOff({ samples }: Told, which: Which): readonly number[] {
  const ends = samples.flatMap((sample) => {
    const end = which === 'learned' ? (sample.learned?.state === 'expected' ? sample.learned.latest : undefined) : sample.compatible
    return end === undefined ? [] : [end]
  })
  return [ends.reduce((sum, end, index) => sum + Math.max(0, end - (ends[index - 1] ?? end)), 0) / 1000]
}

const silence = ({ samples }: Told, which: Which): readonly number[] =>
  samples.map((sample) => (endIn(sample, which) === undefined ? 100 : 0))

function misses({ samples, endedAt }: Told): readonly number[] {
  return samples.flatMap(({ learned }) =>
    learned?.state === 'expected' ? [learned.earliest <= endedAt + 1000 && endedAt <= learned.latest ? 0 : 100] : [],
  )
}

function widths({ samples, startedAt, endedAt }: Told): readonly number[] {
  return samples.flatMap(({ learned }) =>
    learned?.state === 'expected' ? [percent(learned.latest - learned.earliest, endedAt - startedAt)] : [],
  )
}

/** In the time in which nothing moves: whether an end was named that had not passed. */
function promises({ samples, startedAt }: Told, which: Which): readonly number[] {
  const standing = samples.filter(({ at }) => at - startedAt > 60 * minute && at - startedAt < held.minutes * minute)
  return standing.map((sample) => ((endIn(sample, which) ?? 0) > sample.at ? 100 : 0))
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
