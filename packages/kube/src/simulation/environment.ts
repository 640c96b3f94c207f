import { systemClock, systemRandom } from '@windlass/core'

/**
 * The one place where a simulation looks outside. `WINDLASS_SEED=<seed>` runs a single seed, `WINDLASS_SEED=random` as many as usual from somewhere
 * else, `WINDLASS_SEEDS=<count>` more of them, `WINDLASS_SEEDS=<first>-<last>` those and no others.
 */
export function seedsToRun(count: number, from: number): { readonly from: number; readonly count: number } {
  const { WINDLASS_SEED: seed, WINDLASS_SEEDS: seeds } = process.env
  const usual = { from, count }
  const wanted = seeds === undefined ? usual : seedsIn(seeds, usual)
  if (seed === 'random') return { from: systemRandom.below(2 ** 31), count: wanted.count }
  return seed === undefined ? wanted : { from: numberIn('WINDLASS_SEED', seed), count: 1 }
}

function seedsIn(text: string, usual: { readonly from: number }): { readonly from: number; readonly count: number } {
  const [, first, last] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  if (first === undefined || last === undefined) return { ...usual, count: numberIn('WINDLASS_SEEDS', text) }
  return { from: Number(first), count: Math.max(0, Number(last) - Number(first) + 1) }
}

function numberIn(name: string, value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw new Error(`${name} is "${value}": expected a whole number`)
}

const patience = 10_000

/** Tells how far a long run is, every ten seconds of real time. */
export function progressOf(what: string, total: number): (done: number) => void {
  const started = systemClock.monotonic()
  let told = started
  return (done) => {
    const now = systemClock.monotonic()
    if (now - told < patience) return
    told = now
    process.stderr.write(`${what}: ${done} of ${total} seeds in ${Math.round((now - started) / 1000)} s\n`)
  }
}
