import { type Clock, formatDuration, type Instant, type Random } from '@windlass/core'
import type { Client } from '../client/index.ts'
import { milliseconds, type Span } from './faults/faults.ts'
import type { SimulatedProcess } from './process/index.ts'
import { isTrack } from './record/normal-form.ts'
import type { StateReader } from './record/state.ts'
import type { SimulatedServer } from './server.ts'

/** What the script of a simulation sees and can do. Nothing goes wrong on its own way to the server. */
export interface World {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  /** What the server holds, without a request. */
  readonly state: StateReader
  /** By name: `operator-1`, `operator-2`, … */
  readonly processes: ReadonlyMap<string, SimulatedProcess>
  /** A client for a logical cluster. */
  readonly clientOf: (cluster: string) => Client
  readonly sleep: (span: Span) => Promise<void>
  /** Resolves when no more faults begin. Those that have begun are over within another minute and a half. */
  readonly calm: () => Promise<void>
  /** Looks once a virtual second (or every `every`) until it is so; fails the run when it is not within the time. */
  readonly until: (isSo: () => boolean, options: Patience & { readonly every?: Span }) => Promise<void>
  /** Resolves when nobody has written anything but Leases and Events for some time (two minutes unless told). */
  readonly settled: (options: Patience & { readonly quietFor?: Span }) => Promise<void>
  /** Makes the server forget its history. */
  readonly compact: () => Promise<void>
}

export interface Patience {
  readonly within: Span
}

export interface WorldParts {
  readonly client: (path: string) => Client
  readonly clock: Clock
  readonly random: Random
  readonly server: SimulatedServer
  readonly processes: ReadonlyMap<string, SimulatedProcess>
  readonly calmAt: Instant
}

export function createWorld({ client, clock, random, server, processes, calmAt }: WorldParts): World {
  return {
    client: client(''),
    clock,
    random,
    state: server.state,
    processes,
    clientOf: (cluster) => client(`/clusters/${cluster}`),
    sleep: (span) => clock.sleep(milliseconds(span)),
    calm: () => clock.sleep(Math.max(0, calmAt - clock.now())),
    until: (isSo, options) => waitUntil(clock, isSo, options, `${sourceOf(isSo)} did not become true`),
    settled: ({ within, quietFor = '2m' }) => {
      const quiet = milliseconds(quietFor)
      const begun = clock.now()
      const isQuiet = (): boolean => clock.now() - Math.max(begun, lastWriteOf(server)) >= quiet
      return waitUntil(clock, isQuiet, { within }, `there were never ${formatDuration(quiet)} without a write`)
    },
    compact: () => server.compact(),
  }
}

/** Thrown into the world's script when something it waited for did not happen. */
export class NeverHappened extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'NeverHappened'
  }
}

async function waitUntil(
  clock: Clock,
  isSo: () => boolean,
  { within, every = 1000 }: Patience & { readonly every?: Span },
  otherwise: string,
): Promise<void> {
  const deadline = clock.now() + milliseconds(within)
  while (!isSo()) {
    const left = deadline - clock.now()
    if (left <= 0) throw new NeverHappened(`${otherwise} within ${formatDuration(milliseconds(within))}`)
    await clock.sleep(Math.min(milliseconds(every), left))
  }
}

/** Of a write that changes where things are going. */
function lastWriteOf({ log }: SimulatedServer): Instant {
  return log.writes.findLast(({ key }) => !isTrack(key))?.at ?? 0
}

/** A condition is best described by itself. */
function sourceOf(isSo: () => boolean): string {
  return String(isSo)
    .replace(/^\(\)\s*=>\s*/, '')
    .replaceAll(/\s+/g, ' ')
}
