import type { Bench } from '../../bench.ts'
import { measureEstimates } from './estimates.ts'
import { measureLargeUpdate } from './large-update.ts'
import { measureMemory } from './memory.ts'

/** What is told about updates of a classic cluster: how good its estimates are, and what it costs for a large one. In virtual time, but for memory. */
export async function measureInsights(bench: Bench): Promise<void> {
  await measureEstimates(bench)
  const { nodes } = bench.settings
  await measureMemory(bench, Math.max(...nodes))
  for (const count of nodes) await measureLargeUpdate(bench, count)
}
