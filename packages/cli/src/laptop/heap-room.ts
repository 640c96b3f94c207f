import { totalmem } from 'node:os'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/** MB. A cluster keeps 2 of them alive. A heap may be three times as large as that, see below, and V8 never lets it grow further than half of the way to its limit. */
const perCluster = 12
const base = 1000

/** Of what the machine has: the rest is for the database's pages, and for other programs. */
const mostOfMachine = 0.75

const flag = '--max-old-space-size'

/** Fleets up to this size have a small heap, whatever is done. */
const small = 100

/**
 * V8 looks for garbage as often as it can without holding up the program. On other threads that is nearly always: of the CPU time of a thousand clusters a fifth
 * went into it, and less of that of a few hundred. With this a heap grows to three times what lives in it before it is looked through again.
 */
const growth = '--heap-growing-percent=200'

/**
 * Whatever a heap may grow to, V8 looks through all of it every hundred seconds, to give memory back. That takes as much longer as the fleet is larger, and it
 * is done that much more often until the fleet has got where it goes: of 250 clusters, two to three seconds each time. Every ten minutes is enough.
 */
const reduction = '--gc-memory-reducer-start-delay-ms=600000'

/** What this process runs with. */
export interface HeapLimits {
  /** MB that the heap may grow to, as it is. */
  readonly limit: number
  /** MB that the machine has. */
  readonly machine: number
  /** What Node was started with, `NODE_OPTIONS` included. */
  readonly nodeArguments: readonly string[]
}

/**
 * The argument with which Node should have been started for a fleet of this size; undefined when it may stay as it is, or when somebody has chosen already.
 * Node stops at 4 GB unless told, however large the machine: a thousand clusters would end in the middle of their upgrade.
 */
export function heapArgument(clusters: number, { limit, machine, nodeArguments }: HeapLimits): string | undefined {
  if (nodeArguments.some((argument) => argument.replaceAll('_', '-').startsWith(flag))) return undefined
  const wanted = Math.min(base + clusters * perCluster, Math.floor(machine * mostOfMachine))
  return wanted > limit ? `${flag}=${wanted}` : undefined
}

/**
 * Makes the heap ready for a fleet of this size. If that needs more room than there is, this process is started anew; it stays the same process to everybody else.
 */
export function makeHeapRoom(clusters: number): void {
  const { execArgv, env, execPath, argv } = process
  const inEnvironment = env['NODE_OPTIONS']?.split(/\s+/) ?? []
  const argument = heapArgument(clusters, {
    limit: getHeapStatistics().heap_size_limit / 1024 / 1024,
    machine: totalmem() / 1024 / 1024,
    nodeArguments: [...execArgv, ...inEnvironment],
  })
  // Windows cannot do it. There the fleet may be as large as the heap is.
  if (argument !== undefined) process.execve?.(execPath, [execPath, argument, ...execArgv, ...argv.slice(1)], env)
  if (clusters > small) for (const each of [growth, reduction]) setFlagsFromString(each)
}
