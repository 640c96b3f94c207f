import { createHash } from 'node:crypto'
import { type JsonObject, type MemoryStore, openMemoryStore } from '@windlass/apiserver'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { type Instant, seededRandom, VirtualClock } from '@windlass/core'
import { type Client, createClient } from '../client/index.ts'
import { inProcessTransport } from '../transport/in-process.ts'
import { StoredState } from './record/state.ts'

/** When every run begins. */
export const start: Instant = Date.UTC(2026, 0, 1)

/** Puts in place what is there before the first instant of a run. */
export type Given = (client: Client) => Promise<void>

/** A store that a server has been started on, with everything in it that runs have in common. Runs copy it. */
export interface Base {
  readonly store: MemoryStore
  readonly state: StoredState
}

const bases = new WeakMap<Given, Map<string, Promise<Base>>>()
const nothing: Given = () => Promise.resolve()

/**
 * Starting a server and filling it costs more than many a run, so it is done once for all runs with the same definitions and the same
 * function.
 */
export function baseOf(definitions: readonly JsonObject[], given: Given = nothing): Promise<Base> {
  const known = bases.get(given) ?? new Map<string, Promise<Base>>()
  bases.set(given, known)
  const key = hashOf(definitions)
  const base = known.get(key) ?? makeBase(definitions, given)
  known.set(key, base)
  return base
}

async function makeBase(definitions: readonly JsonObject[], given: Given): Promise<Base> {
  const store = openMemoryStore()
  const clock = new VirtualClock({ start })
  const server = await startTestServer({ store, clock, random: seededRandom('base'), definitions })
  const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const client = createClient({ transport, clock, random: seededRandom('given'), userAgent: 'given', fieldManager: 'given' })
  await given(client)
  await server.settle()
  if (server.problems.length > 0) throw new Error(`the server met problems before the simulation began: ${server.problems.join('; ')}`)
  const state = StoredState.of(store.scan(''))
  await server.api.stop()
  return { store, state }
}

const hashes = new WeakMap<readonly JsonObject[], string>()

function hashOf(definitions: readonly JsonObject[]): string {
  const known = hashes.get(definitions) ?? createHash('sha256').update(JSON.stringify(definitions)).digest('hex')
  hashes.set(definitions, known)
  return known
}
