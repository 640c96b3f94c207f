import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  ClusterOperator,
  ClusterVersion,
  ControlPlaneComponent,
  HostedCluster,
  MachineConfig,
  MachineConfigPool,
  Node,
  NodePool,
} from '@windlass/api'
import { VirtualClock } from '@windlass/core'
import * as fc from 'fast-check'
import type { ClusterExposure, ClusterRow, FleetChange, FleetFigures } from '../contract/index.ts'
import { aClassicCluster, aFleetOf, aManagementCluster, type MemoryApi } from '../testing/index.ts'
import type { Answer } from '../testing/brute-force/answer.ts'
import { judgeClassic } from '../testing/brute-force/classic.ts'
import { judgeHosted } from '../testing/brute-force/hosted.ts'
import { noon } from '../testing/random-objects.ts'
import { story, type Step } from '../testing/random-story.ts'

const minute = 60_000
const names = ['east', 'west', 'classic']

/** What a fleet may know of a member: everything, or how it was when it was last heard of. */
interface Known {
  readonly clusters: readonly HostedCluster[]
  readonly components: readonly ControlPlaneComponent[]
  readonly pools: readonly NodePool[]
  readonly version: ClusterVersion | undefined
  readonly operators: readonly ClusterOperator[]
  readonly machinePools: readonly MachineConfigPool[]
  readonly nodes: readonly Node[]
  readonly configs: readonly MachineConfig[]
  readonly now: number
}

function look(api: MemoryApi, now: number): Known {
  return {
    clusters: api.all(HostedCluster),
    components: api.all(ControlPlaneComponent),
    pools: api.all(NodePool),
    version: api.all(ClusterVersion)[0],
    operators: api.all(ClusterOperator),
    machinePools: api.all(MachineConfigPool),
    nodes: api.all(Node),
    configs: api.all(MachineConfig),
    now,
  }
}

function expectedOf(known: readonly Known[], fixes: readonly string[]): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>()
  known.forEach(({ clusters, components, pools, version, now, ...rest }, index) => {
    const name = names[index] ?? ''
    for (const cluster of clusters) {
      answers.set(
        `${name}/${cluster.metadata.namespace ?? ''}/${cluster.metadata.name ?? ''}`,
        judgeHosted(cluster, components, pools, now, fixes),
      )
    }
    if (version !== undefined) answers.set(name, judgeClassic({ clusterVersion: version, ...rest, pools: rest.machinePools }, now, fixes))
  })
  return answers
}

function shown(
  { controlPlane, dataPlane, attention, skew, nodes }: ClusterRow,
  { controlPlane: cp, dataPlane: dp, state }: ClusterExposure,
): Answer {
  return {
    controlPlane: { state: controlPlane.state, version: controlPlane.version ?? '' },
    dataPlane: { state: dataPlane.state, version: dataPlane.version ?? '' },
    attention,
    skew,
    wanted: nodes.wanted,
    ready: nodes.ready,
    nodes: Object.fromEntries(nodes.versions.map(({ version, count }) => [version, count])),
    exposure: { controlPlane: cp.state, dataPlane: dp.state, state },
  }
}

/** Figures by counting everything. */
function counted(answers: ReadonlyMap<string, Answer>): object {
  const all = [...answers.values()]
  const count = (keys: readonly string[]): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const key of keys) counts[key] = (counts[key] ?? 0) + 1
    return counts
  }
  const nodes: Record<string, number> = {}
  for (const each of all) for (const [version, by] of Object.entries(each.nodes)) nodes[version] = (nodes[version] ?? 0) + by
  return {
    clusters: all.length,
    attention: count(all.map(({ attention }) => attention)),
    skew: count(all.map(({ skew }) => skew)),
    controlPlanes: count(all.map(({ controlPlane }) => controlPlane.version)),
    dataPlanes: count(all.map(({ dataPlane }) => dataPlane.version)),
    nodes,
    allNodes: Object.values(nodes).reduce((sum, by) => sum + by, 0),
  }
}

function figured({ clusters, attention, skew, controlPlaneVersions, dataPlaneVersions, nodeVersions, nodes }: FleetFigures): object {
  const some = (counts: Readonly<Record<string, number>>) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
  const byVersion = (list: FleetFigures['nodeVersions']) => Object.fromEntries(list.map(({ version, count }) => [version, count]))
  return {
    clusters,
    attention: some(attention),
    skew: some(skew),
    controlPlanes: byVersion(controlPlaneVersions),
    dataPlanes: byVersion(dataPlaneVersions),
    nodes: byVersion(nodeVersions),
    allNodes: nodes,
  }
}

it('exposure, stalls, skew and figures are those that come out by looking at every object, in 300 random fleets', async () => {
  const property = fc.asyncProperty(story, async ({ before, after, fixes }) => {
    const apis = [aManagementCluster(), aManagementCluster(), aClassicCluster()] as const
    const clock = new VirtualClock({ start: noon + minute / 2 })
    for (const step of before) if (step.do === 'change') step.apply(apis[step.member] ?? apis[0])
    const { fleet, stop } = await aFleetOf(Object.fromEntries(apis.map((api, index) => [names[index] ?? '', api])), { clock })
    // What somebody has who has only listened.
    const heard = new Map(fleet.view().clusters.map((row) => [row.id, row]))
    fleet.subscribe(({ clusters, removed }: FleetChange) => {
      for (const row of clusters) heard.set(row.id, row)
      for (const id of removed) heard.delete(id)
    })
    const isDown = apis.map(() => false)
    let known = apis.map((api) => look(api, clock.now()))
    /** To the middle of a minute, where no limit is. */
    const wait = (minutes: number): Promise<void> => {
      const passed = Math.floor((clock.now() - noon) / minute)
      return clock.advanceTo(noon + (passed + minutes) * minute + minute / 2)
    }
    const act = async (step: Step): Promise<void> => {
      if (step.do === 'wait') return wait(step.minutes)
      const api = apis[step.member] ?? apis[0]
      if (step.do === 'change') step.apply(api)
      if (step.do === 'relist') api.compact()
      if (step.do === 'down' && isDown[step.member] === false) {
        // What it said until now has been heard.
        await wait(1)
        api.goDown()
        isDown[step.member] = true
        known = known.with(step.member, look(api, clock.now()))
      }
      if (step.do === 'up' && isDown[step.member] === true) {
        api.goUp()
        isDown[step.member] = false
        await wait(3)
      }
    }
    const check = async (): Promise<void> => {
      await wait(1)
      known = known.map((each, index) => (isDown[index] === true ? each : look(apis[index] ?? apis[0], clock.now())))
      const { clusters, figures } = fleet.view()
      const exposure = fleet.exposure(fixes)
      const exposures = new Map(exposure.clusters.map((each) => [each.id, each]))
      const answers = new Map(
        clusters.map((row) => {
          const exposed = exposures.get(row.id)
          assert.ok(exposed !== undefined, `nothing is said about the exposure of ${row.id}`)
          return [row.id, shown(row, exposed)]
        }),
      )
      const expected = expectedOf(known, fixes)
      assert.deepEqual([...answers.keys()], [...expected.keys()].toSorted())
      for (const [id, answer] of answers) assert.deepEqual(answer, expected.get(id), id)
      assert.deepEqual(figured(figures), counted(expected))
      const counts = Object.fromEntries(['Fixed', 'Pending', 'Vulnerable', 'Unknown'].map((state) => [state, 0]))
      for (const each of expected.values()) counts[each.exposure.state] = (counts[each.exposure.state] ?? 0) + 1
      assert.deepEqual(exposure.counts, counts)
      assert.deepEqual(
        [...heard.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        clusters,
      )
      for (const { member, isCurrent } of clusters) assert.equal(isCurrent, isDown[names.indexOf(member)] === false)
    }
    await check()
    for (const [index, step] of after.entries()) {
      await act(step)
      if (index % 4 === 3) await check()
    }
    await check()
    await stop()
  })
  await fc.assert(property, { numRuns: 300 })
})
