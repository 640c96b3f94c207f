/**
 * The controller toolkit, in an operator of its own process at a server with many NodePools.
 *
 * - `queue.ts`: the queue alone. `requests.ts`: the client alone.
 * - `filling.ts`: how long it takes until the caches are filled, and what they hold.
 * - `events.ts`: from events to passes, as fast as it goes. `reaction.ts`: from a write to the pass. `steady.ts`: a steady load.
 * - `subject.ts`: the server, and what is done to it.
 */
import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'
import { measureEvents, measureStatusWrites } from './events.ts'
import { measureFilling } from './filling.ts'
import { measureQueue } from './queue.ts'
import { measureReaction } from './reaction.ts'
import { measureRequests } from './requests.ts'
import { measureSteady } from './steady.ts'
import { Subject } from './subject.ts'

export async function measureToolkit(bench: Bench): Promise<void> {
  const sizes = bench.settings.cached
  await measureQueue(bench)
  const subject = await Subject.start(bench, Math.max(...sizes))
  const perObject: number[] = []
  for (const size of sizes) {
    await subject.fillUp(size)
    if (perObject.length === 0) await measureRequests(bench, subject)
    perObject.push(await measureFilling(bench, subject))
  }
  addGrowth(bench, perObject)
  await measureStatusWrites(bench, subject)
  await subject.withOperator('nothing', (operator) =>
    subject.withBareFollower(async (bare) => {
      await measureEvents(bench, subject, operator, bare)
      await measureReaction(bench, subject, operator, bare)
      await measureSteady(bench, subject, operator, bare)
    }),
  )
  await bench.stop(subject.server)
}

function addGrowth(bench: Bench, perObject: readonly number[]): void {
  const [small] = perObject
  const large = perObject.at(-1)
  if (small === undefined || large === undefined || perObject.length < 2) return
  bench.add({ name: 'heap per object, largest to smallest', value: large / small, unit: 'x', goal: goals.cacheGrowth })
}
