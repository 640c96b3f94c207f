import { ClusterOperator, ClusterVersion, MachineConfig } from '@windlass/api'
import { formatTime } from '@windlass/core'
import type { World } from '@windlass/kube/simulation'
import { aConfig } from './nodes.ts'
import { note, put, resting, version } from './simulated.ts'

type Condition = readonly [type: string, status: string, message?: string]

async function say(world: World, history: readonly object[], desired: object, conditions: readonly Condition[]): Promise<void> {
  const lastTransitionTime = formatTime(world.clock.now())
  await world.client.patchStatus(ClusterVersion, version, [
    { op: 'add', path: '/status/desired', value: desired },
    { op: 'add', path: '/status/history', value: history },
    {
      op: 'add',
      path: '/status/conditions',
      value: conditions.map(([type, status, message = '']) => ({ type, status, message, lastTransitionTime })),
    },
  ])
}

/** What the version operator writes when an update begins. */
export async function beginUpdate(world: World, to: string): Promise<void> {
  const history = world.state.get(ClusterVersion, version)?.status?.history ?? []
  const image = `image-of-${to}`
  const startedTime = formatTime(world.clock.now())
  const entry = { state: 'Partial', startedTime, completionTime: null, version: to, image, verified: true }
  await say(world, [entry, ...history], { version: to, image }, [
    ['Failing', 'False'],
    ['Progressing', 'True', `Working towards ${to}`],
  ])
}

/** And when it is done. */
export async function endUpdate(world: World): Promise<void> {
  const { history: [newest, ...older] = [], desired } = world.state.get(ClusterVersion, version)?.status ?? {}
  const entry = { ...newest, state: 'Completed', completionTime: formatTime(world.clock.now()) }
  await say(world, [entry, ...older], { ...desired }, [
    ['Failing', 'False'],
    ['Progressing', 'False', `Cluster version is ${desired?.version}`],
  ])
}

/** An operator has reached a version. */
export async function updateOperator(world: World, index: number, to: string): Promise<void> {
  await world.client.patchStatus(
    ClusterOperator,
    { name: `operator-${index}` },
    { status: { versions: [{ name: 'operator', version: to }] } },
  )
}

/** The machine config of a version is there for nodes to go to. */
export async function renderConfig(world: World, of: string): Promise<void> {
  await put(world.client, MachineConfig, aConfig(`rendered-${of}`, of))
}

/** A node goes from version to version: it is drained, changed and restarted. `blocked` is how long its drain takes. */
export async function updateNode(world: World, node: string, to: string, blocked: string): Promise<void> {
  const config = `rendered-${to}`
  await note(world, node, { desiredConfig: config })
  await world.sleep('5s')
  await note(world, node, { state: 'Working', desiredDrain: `drain-${config}` })
  await world.sleep(blocked)
  await note(world, node, { lastAppliedDrain: `drain-${config}` })
  await world.sleep('2m')
  await note(world, node, { state: 'Rebooting' })
  await world.sleep('3m')
  await note(world, node, resting(to))
}
