import assert from 'node:assert/strict'
import { ClusterVersion, Deployment, machineApi, PodDisruptionBudget } from '@windlass/api'
import type { Client } from '@windlass/kube'
import { failureAnnotation } from '@windlass/simulator'
import { conditionOf } from '../upgrade-config/index.ts'
import { at, type Scene, usualConfig } from './stage.ts'

/** How an upgrade may go. Each tells its own end; that nothing is left behind is true of all of them. */
export interface Story {
  readonly name: string
  /** Its drains do not end without help. */
  readonly needsHelp?: true
  readonly play: (scene: Scene) => Promise<void>
}

const policy = { id: 'p1', version: '4.18.16', next_run: at(3) }
const quickConfig = `${usualConfig.replace('watchInterval: 15', 'watchInterval: 5')}nodeDrain: { timeOut: 3, expectedNodeDrainTime: 1 }\n`

/** In this order. */
const milestones = [
  'started',
  'Cluster is starting with control and worker plane upgrade',
  'Cluster has finished control plane upgrade',
  'Cluster has finished with worker plane upgrade',
  'completed',
]

/** How often: what does not answer is a failure of health, and both a delay and a skip are `delayed` to OCM. */
const mayBeTold = new Map([
  ['delayed', 2],
  ['Cluster has encountered healthcheck failure during upgrade', 1],
])

/** Everything that OCM was told, but for what may be told at any time, which must not be told too often. */
function mainlyTold({ outside }: Scene): readonly string[] {
  const told = outside.ocm.told.map(({ what }) => what)
  for (const [what, most] of mayBeTold) assert.ok(told.filter((each) => each === what).length <= most, `${what} is told again and again`)
  return told.filter((what) => !mayBeTold.has(what))
}

const desiredUpdate = ({ world }: Scene) => world.state.get(ClusterVersion, { name: 'version' })?.spec.desiredUpdate

async function arrives({ world }: Scene, version = policy.version): Promise<void> {
  const newest = () => world.state.get(ClusterVersion, { name: 'version' })?.status?.history?.[0]
  await world.until(() => newest()?.state === 'Completed' && newest()?.version === version, { within: '12h', every: '5s' })
}

/** Until OCM hears of the end. It forgets what is completed, and the UpgradeConfig goes with it: sooner, perhaps, than anybody looks at its phase. */
async function completes(scene: Scene): Promise<void> {
  const { outside, world } = scene
  await world.until(() => outside.ocm.told.some(({ what }) => what === 'completed'), { within: '12h', every: '5s' })
  await world.until(() => scene.upgradeConfig() === undefined, { within: '4h' })
  await arrives(scene)
}

async function toItsEnd(scene: Scene): Promise<void> {
  await completes(scene)
  assert.deepEqual(mainlyTold(scene), milestones)
}

/** Some moment in these minutes. */
async function sometime({ world }: Scene, from: number, to: number): Promise<void> {
  await world.sleep(Math.round((from + world.random.next() * (to - from)) * 60_000))
}

/** A shop that never wants to be disturbed, and something that does not end by itself: both hold up every drain. */
async function aShop(client: Client): Promise<void> {
  const namespace = 'shop'
  for (const [app, annotations] of [
    ['checkout', {}],
    ['endless', { [failureAnnotation]: 'never-gone' }],
  ] as const) {
    const containers = [{ name: 'main', image: 'example.com/shop' }]
    const template = { metadata: { labels: { app }, annotations }, spec: { containers } }
    await client.create(Deployment, {
      metadata: { namespace, name: app },
      spec: { replicas: 2, selector: { matchLabels: { app } }, template },
    })
  }
  await client.create(PodDisruptionBudget, {
    metadata: { namespace, name: 'checkout' },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'checkout' } } },
  })
}

const heldUpByAShop: Story = {
  name: 'OSD, with drains that are held up',
  needsHelp: true,
  play: async (scene) => {
    const { outside, world } = scene
    await aShop(world.client)
    await scene.configure(quickConfig)
    outside.ocm.cluster = { ...outside.ocm.cluster, node_drain_grace_period: { value: 3, unit: 'minutes' } }
    outside.ocm.schedule(policy)
    await toItsEnd(scene)
  },
}

const calledOff: Story = {
  name: 'called off at any moment',
  play: async (scene) => {
    const { outside, world } = scene
    await scene.configure(quickConfig)
    outside.ocm.schedule(policy)
    await sometime(scene, 1, 25)
    outside.ocm.cancel(policy.id)
    await world.until(() => scene.upgradeConfig() === undefined, { within: '12h', every: '5s' })
    await world.sleep('15m')
    const told = mainlyTold(scene)
    assert.deepEqual(told, milestones.slice(0, told.length))
    if (desiredUpdate(scene) !== undefined) await arrives(scene)
  },
}

const windowMissed: Story = {
  name: 'machines that do not come until the window is over',
  play: async (scene) => {
    const { outside, world } = scene
    await scene.configure(`${quickConfig}upgradeWindow: { timeOut: 25, delayTrigger: 10 }\n`)
    for (const { metadata } of world.state.list(machineApi.MachineSet)) {
      const ref = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
      const template = { metadata: { annotations: { [failureAnnotation]: 'quota' } } }
      await world.client.patch(machineApi.MachineSet, ref, { spec: { template } })
    }
    outside.ocm.schedule(policy)
    await scene.inPhase('Failed', '4h')
    assert.equal(conditionOf(scene.entry() ?? assert.fail(), 'FailedUpgrade')?.status, 'True')
    assert.deepEqual(mainlyTold(scene), ['started', 'failed'])
    assert.equal(desiredUpdate(scene), undefined)
  },
}

const aro: Story = {
  name: 'ARO',
  play: async (scene) => {
    await scene.configure(quickConfig.replace('upgradeType: OSD', 'upgradeType: ARO'))
    scene.outside.ocm.schedule(policy)
    await toItsEnd(scene)
  },
}

const moved: Story = {
  name: 'moved to a later time at any moment',
  play: async (scene) => {
    const { outside } = scene
    await scene.configure(quickConfig)
    outside.ocm.schedule(policy)
    await sometime(scene, 1, 12)
    outside.ocm.schedule({ ...policy, next_run: at(40) }, outside.ocm.stateOf(policy.id))
    await completes(scene)
    // Those that went before the start may be told for each of two UpgradeConfigs.
    const told = outside.ocm.told.map(({ what }) => what)
    for (const what of milestones) assert.ok(told.filter((each) => each === what).length <= 2, `${what} is told again and again`)
    assert.deepEqual(
      told.filter((what) => ['started', 'completed'].includes(what)),
      ['started', 'completed'],
    )
  },
}

const alertForAWhile: Story = {
  name: 'an alert that fires for a while',
  play: async (scene) => {
    const { outside } = scene
    await scene.configure(quickConfig)
    outside.firing = [{ alertname: 'EtcdDown' }]
    outside.ocm.schedule(policy)
    await sometime(scene, 5, 60)
    outside.firing = []
    await toItsEnd(scene)
  },
}

const byHand: Story = {
  name: 'written by hand, and edited',
  play: async (scene) => {
    const { outside, world } = scene
    await scene.configure(quickConfig.replace('source: OCM', 'source: LOCAL, localConfigName: managed-upgrade-config'))
    await scene.ask({ upgradeAt: at(3) })
    await sometime(scene, 1, 10)
    await scene.edit({ PDBForceDrainTimeout: 30, capacityReservation: false })
    await arrives(scene)
    await world.until(() => scene.upgradeConfig() === undefined, { within: '4h' })
    assert.deepEqual(outside.ocm.told, [])
  },
}

const stories: readonly Story[] = [heldUpByAShop, calledOff, windowMissed, aro, moved, alertForAWhile, byHand]

/** One after the other, so that few seeds tell many of them. */
export function storyFor(seed: number): Story {
  return stories[(seed - 1) % stories.length] ?? heldUpByAShop
}
