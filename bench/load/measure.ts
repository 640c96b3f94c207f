export interface Latency {
  /** Milliseconds: half were faster. */
  readonly p50: number
  /** All but one in a hundred were faster. */
  readonly p99: number
}

export interface Measured extends Latency {
  readonly count: number
  readonly perSecond: number
}

export type Extent = { readonly count: number } | { readonly seconds: number }

/** Each of `clients` sends its next request when it has the answer to its last one. */
export async function closedLoop(clients: number, extent: Extent, request: (index: number) => Promise<unknown>): Promise<Measured> {
  const times: number[] = []
  const started = performance.now()
  const end = 'seconds' in extent ? started + extent.seconds * 1000 : Infinity
  const last = 'count' in extent ? extent.count : Infinity
  let next = 0
  async function client(): Promise<void> {
    while (next < last) {
      const from = performance.now()
      if (from >= end) return
      await request(next++)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { count: times.length, perSecond: (times.length * 1000) / (performance.now() - started), ...latencyOf(times) }
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** The same, with what one request cost this process in microseconds of all its threads. */
export async function measureGets(
  clients: number,
  extent: Extent,
  get: () => Promise<unknown>,
): Promise<Measured & { readonly cpu: number }> {
  const before = process.cpuUsage()
  const measured = await closedLoop(clients, extent, get)
  const { user, system } = process.cpuUsage(before)
  return { ...measured, cpu: (user + system) / measured.count }
}

/** Milliseconds on a clock that all processes of a machine share. */
export function sharedTime(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
