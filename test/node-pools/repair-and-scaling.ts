import assert from 'node:assert/strict'
import { it } from 'node:test'
import { namespace } from '../hosted/cluster.ts'
import { releases } from '../hosted/releases.ts'
import type { Scene } from './story.ts'

const third = releases['4.20.2']
const bounds = ({ workers }: Scene): readonly (string | undefined)[] =>
  ['min', 'max'].map(
    (bound) => workers.deployment?.metadata.annotations?.[`cluster.x-k8s.io/cluster-api-autoscaler-node-group-${bound}-size`],
  )

/** By `kubectl scale`, where the definitions let people. */
async function scaled({ stage, workers, canScale }: Scene, replicas: number): Promise<void> {
  if (canScale) await stage.k.ok`-n ${namespace} scale np workers --replicas=${replicas}`
  else await workers.patch({ spec: { replicas } })
}

/** More nodes, nodes that never come, and bounds that somebody else scales within. */
export function repairAndScaling(at: () => Scene): void {
  it('NP-57 is scaled with kubectl scale, and rolls nothing', async () => {
    const { workers } = at()
    const before = workers.machines.map(({ metadata }) => metadata.name)
    await scaled(at(), 4)
    await workers.untilAt(third, 4)
    assert.ok(before.every((name) => workers.machines.some(({ metadata }) => metadata.name === name)))
    await workers.until('to have been reached again', () => workers.said('ReachedIgnitionEndpoint') === 'True')
  })

  it('NP-59 NP-61 replaces a machine that never starts', async () => {
    const { workers } = at()
    assert.equal(workers.healthChecks.length, 0)
    await workers.annotate('hypershift.openshift.io/machine-health-check-node-startup-timeout=5s')
    await workers.patch({ spec: { management: { autoRepair: true } } })
    await workers.until('to be looked after', () => workers.said('AutorepairEnabled') === 'True' && workers.healthChecks.length > 0)
    const [check] = workers.healthChecks
    assert.deepEqual([check?.metadata.name, check?.spec.nodeStartupTimeout, check?.spec.maxUnhealthy], ['workers', '5s', 2])
    const before = workers.machines.map(({ metadata }) => metadata.name)
    const machinesBeside = () => workers.machines.filter(({ metadata }) => !before.includes(metadata.name))
    await workers.fail('ignition-unreachable')
    await scaled(at(), 5)
    await workers.until('to have a machine that does not start', () => machinesBeside().length > 0)
    const [stuck] = machinesBeside()
    await workers.until('to have given it up', () => workers.machines.every(({ metadata }) => metadata.uid !== stuck?.metadata.uid))
    await workers.fail()
    await workers.untilAt(third, 5)
    assert.ok(
      before.every((name) => workers.machines.some(({ metadata }) => metadata.name === name)),
      'and no other one',
    )
  })

  it('NP-58 leaves its size to an autoscaler, within bounds', async () => {
    const scene = at()
    const { stage, workers } = scene
    await workers.patch({ spec: { replicas: null, autoScaling: { min: 2, max: 4 } } })
    await workers.until('to come down to its most', () => workers.deployment?.spec.replicas === 4)
    await workers.until('to say its bounds', () => bounds(scene).join() === '2,4' && workers.said('AutoscalingEnabled') === 'True')
    assert.equal(workers.condition('AutoscalingEnabled')?.message, 'Maximum nodes: 4, Minimum nodes: 2')
    const scale = async (replicas: number): Promise<void> => {
      await stage.k.ok`-n ${workers.home} scale machinedeployment workers --replicas=${replicas}`
    }
    await scale(3)
    await workers.until('to have three nodes', () => workers.object?.status?.replicas === 3 && workers.machines.length === 3)
    assert.equal(workers.deployment?.spec.replicas, 3, 'that is up to the autoscaler')
    await scale(1)
    await workers.until('to have its least', () => workers.deployment?.spec.replicas === 2)
    await workers.patch({ spec: { replicas: 3, autoScaling: null } })
    // It may still have three nodes, of before.
    await workers.until('to have no bounds', () => bounds(scene).join() === '0,0')
    await workers.untilAt(third, 3)
  })
}
