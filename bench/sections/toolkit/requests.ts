import { startBareServer } from '../../baselines/index.ts'
import type { Bench } from '../../bench.ts'
import { expect, LoadClient } from '../../load/index.ts'
import { objectPath } from '../../node-pool.ts'
import { type Follower, startBareFollower, startOperator } from '../../operator/index.ts'
import type { Subject } from './subject.ts'

/** GETs with the client, against undici and JSON.parse. The server is the bare one: it is the client that is measured. */
export async function measureRequests(bench: Bench, { server }: Subject): Promise<void> {
  const client = new LoadClient(server, 1)
  const { text } = await expect(200, client.send({ method: 'GET', path: objectPath(0), keepsText: true }))
  await client.close()
  const answering = await startBareServer(server, [text])
  const followers = [startOperator(bench.nodeArguments), startBareFollower()] as const
  try {
    const measure = async (follower: Follower) => {
      let cpu = Infinity
      const best = await bench.best(async () => {
        const measured = await follower.run('get', { at: answering, clients: 32, extent: { seconds: bench.roundSeconds } })
        cpu = Math.min(cpu, measured.cpu)
        return measured
      })
      return { ...best, cpu }
    }
    const ours = await measure(followers[0])
    const bare = await measure(followers[1])
    const against = (value: number) => ({ baseline: { what: 'undici and JSON.parse', value } })
    bench.add({ name: 'client, get', value: ours.perSecond, unit: '/s', ...against(bare.perSecond) })
    bench.add({ name: 'client, get, CPU', value: ours.cpu, unit: 'us', ...against(bare.cpu) })
  } finally {
    await Promise.all(followers.map((follower) => follower.stop()))
    answering.stop()
  }
}
