import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

/**
 * MB. A cluster keeps 2 of them alive. V8 lets a heap grow to four times what lives before it looks for garbage, but never further than half of the way to its
 * limit: with less than this it would look more often, the more clusters there are.
 */
const perCluster = 16
const base = 1000

/** Of what the machine has: the rest is for the database's pages, and for other programs. */
const mostOfMachine = 0.75

const flag = '--max-old-space-size'

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

/** Starts this process anew with more room for its heap if a fleet of this size needs that; it stays the same process to everybody else. */
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
}
