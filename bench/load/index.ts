/**
 * Load from a process of its own, so that what it costs to put load on a server is not counted as the server's.
 *
 * - `jobs.ts`: what can be asked for; `watches.ts`: those about watches.
 * - `process.ts`: the other process. `measure.ts`: its clocks.
 * - `client.ts`: its connections; `lean-client.ts`, with `answer-reader.ts`, where nothing is asked of them but to send and to wait. `scraper.ts` reads metrics.
 */
import { join } from 'node:path'
import { JobProcess } from '../job-process.ts'
import type { Jobs } from './jobs.ts'

export { type Extent, type Latency, latencyOf, type Measured, measureGets, sharedTime } from './measure.ts'
export { expect, LoadClient } from './client.ts'

export type Generator = JobProcess<Jobs>

export function startGenerator(): Generator {
  return new JobProcess<Jobs>(join(import.meta.dirname, 'process.ts'))
}
