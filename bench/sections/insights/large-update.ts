import { getHeapStatistics } from 'node:v8'
import {
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  MachineConfigPool,
  MachineConfigPoolProgressInsight,
  Node,
  NodeProgressInsight,
  type Resource,
} from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { insightControllers } from '@windlass/insights'
import type { AnyController, Client } from '@windlass/kube'
import { simulate } from '@windlass/kube/simulation'
import { clusterControllers, largerPayload, place, standaloneCluster } from '@windlass/simulator'
import { definitions } from '../../../packages/cli/src/simulator/testing/index.ts'
import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'

const [from, to] = ['4.19.10', '4.19.11'] as const
const version = { name: 'version' } as const
const seed = 1
const release = (of: string) => ({ version: of, image: aReleaseImage(of) })

/** As many more operators as make 40. */
const payload = largerPayload(Array.from({ length: 7 }, (_, index) => `more-${index}`))

/** What the passes of controllers cost that were timed, in CPU time of their thread: whoever else is on the machine does not count. */
class Timed {
  passes = 0
  /** Microseconds. */
  all = 0
  longest = 0

  /** The same controller; what it reads and decides is timed. What comes of it is not: that is the toolkit's and the server's. */
  controller(definition: AnyController): AnyController {
    if (!('observe' in definition)) return definition
    const { observe, decide } = definition
    return {
      ...definition,
      observe: (ref, cache) => {
        this.passes++
        return this.#run(() => observe(ref, cache))
      },
      decide: (observed, now) => this.#run(() => decide(observed, now)),
    }
  }

  #run<T>(work: () => T): T {
    const began = process.threadCpuUsage()
    try {
      return work()
    } finally {
      const { user, system } = process.threadCpuUsage(began)
      this.all += user + system
      this.longest = Math.max(this.longest, user + system)
    }
  }
}

/** An update of a large cluster, a tenth of its nodes at a time: what it takes to tell of it. */
export async function measureLargeUpdate(bench: Bench, workers: number): Promise<void> {
  const given = async (client: Client): Promise<void> => {
    await place(client, standaloneCluster({ release: release(from), installed: Date.UTC(2025, 11, 31), workers, payload }))
    await client.patch(MachineConfigPool, { name: 'worker' }, { spec: { maxUnavailable: '10%' } })
  }
  const timed = new Timed()
  let peak = 0
  const began = process.cpuUsage()
  const { writes, virtualTime } = await simulate({
    seed,
    definitions,
    given,
    controllers: () => [
      ...clusterControllers({ seed, payload }),
      ...insightControllers().map((controller) => timed.controller(controller)),
    ],
    async world(world) {
      await world.sleep('5m')
      await world.client.patch(ClusterVersion, version, { spec: { desiredUpdate: release(to) } })
      const isDone = (): boolean => {
        peak = Math.max(peak, getHeapStatistics().used_heap_size)
        const pool = world.state.get(MachineConfigPoolProgressInsight, { name: 'worker' })?.status
        const control = world.state.get(ClusterVersionProgressInsight, version)?.status
        return control?.versions.target.version === to && control.assessment === 'Completed' && pool?.completionPercent === 100
      }
      await world.until(isDone, { within: '24h', every: '30s' })
    },
  })
  const count = (...kinds: readonly Resource[]): number => writes.filter((write) => kinds.some((kind) => write.isOf(kind))).length
  const about = `update of ${workers} nodes`
  const told = count(ClusterVersionProgressInsight, ClusterOperatorProgressInsight, MachineConfigPoolProgressInsight, NodeProgressInsight)
  bench.add({ name: `${about}: virtual time`, value: virtualTime / 1000, unit: 's' })
  const { user, system } = process.cpuUsage(began)
  bench.add({ name: `${about}: CPU, with everything simulated`, value: (user + system) / 1_000_000, unit: 's' })
  bench.add({ name: `${about}: most of the heap, with everything simulated`, value: peak / 1_000_000, unit: 'MB' })
  bench.add({ name: `${about}: passes`, value: timed.passes, unit: 'objects', baseline: { what: 'writes to nodes', value: count(Node) } })
  bench.add({
    name: `${about}: writes of insights`,
    value: told,
    unit: 'writes',
    baseline: { what: 'writes to nodes', value: count(Node) },
  })
  bench.add({ name: `${about}: of those, of operators`, value: count(ClusterOperatorProgressInsight), unit: 'writes' })
  bench.add({ name: `${about}: of those, of pools`, value: count(MachineConfigPoolProgressInsight), unit: 'writes' })
  bench.add({ name: `${about}: CPU of a pass`, value: timed.all / timed.passes, unit: 'us', goal: goals.insightPass })
  bench.add({ name: `${about}: CPU of the longest pass`, value: timed.longest / 1000, unit: 'ms', goal: goals.stall })
}
