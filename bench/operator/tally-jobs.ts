import { setTimeout as sleep } from 'node:timers/promises'
import type { FollowerJobs } from './jobs.ts'
import { measureHeap } from './heap.ts'
import { observeStrain } from './strain.ts'
import type { Tally } from './tally.ts'

/** What every follower answers alike, from its tally. */
export function tallyJobs(tally: Tally): Pick<FollowerJobs, 'looked' | 'heap' | 'listen' | 'heard' | 'observe'> {
  return {
    looked: async ({ count }) => {
      const end = observeStrain()
      await tally.reached(count)
      return end()
    },
    heap: measureHeap,
    listen: async () => {
      tally.listen()
      return {}
    },
    heard: async ({ count }) => {
      await tally.reached(count)
      return tally.starts()
    },
    observe: async ({ seconds }) => {
      tally.reset()
      const end = observeStrain()
      await sleep(seconds * 1000)
      return { ...(await end()), looks: tally.looks }
    },
  }
}
