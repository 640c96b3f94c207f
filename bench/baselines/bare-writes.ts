import { aPool } from '../node-pool.ts'

/**
 * Milliseconds of CPU for a write of which nothing is asked but that an object is read and written as JSON. The shortest of several rounds, as elsewhere: whatever
 * else the machine does makes one longer.
 */
export function bareWrite(): number {
  const texts = Array.from({ length: 1000 }, (_, index) => aPool(index))
  let shortest = Infinity
  for (let round = 0; round < 10; round++) {
    const before = process.cpuUsage()
    for (const text of texts) JSON.stringify(JSON.parse(text))
    const { user, system } = process.cpuUsage(before)
    shortest = Math.min(shortest, (user + system) / 1000 / texts.length)
  }
  return shortest
}
