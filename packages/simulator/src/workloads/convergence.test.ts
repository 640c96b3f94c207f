import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Deployment, Job, PodDisruptionBudget, Pod, Route, Service, StatefulSet } from '@windlass/api'
import { aJob, aPodDisruptionBudget, aService } from '@windlass/api/fixtures'
import { isTrue } from '@windlass/core'
import { assertRepeatable, forEachSeed, type Simulation, simulate, type World } from '@windlass/kube/simulation'
import { imagesOf } from './pods/index.ts'
import {
  aWorld,
  deploymentDraft,
  draftOf,
  imageOf,
  isRolledOut,
  namespace,
  neverDoneTooSoon,
  neverTooFew,
  neverTooMany,
  statefulSetDraft,
  templateOf,
  toImage,
} from './testing/index.ts'

const rolling = (maxSurge: number | string, maxUnavailable: number | string) =>
  ({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }) as const
const deployments = ['kube-apiserver', 'router']

/** A little of everything that a hosted control plane has. */
async function install({ client }: World): Promise<void> {
  const job = templateOf('setup', imageOf('1'))
  await client.create(StatefulSet, statefulSetDraft('etcd'))
  await client.create(Deployment, deploymentDraft('kube-apiserver', { replicas: 3, strategy: rolling(0, 1) }))
  await client.create(Deployment, deploymentDraft('router', { replicas: 4, strategy: rolling('25%', '25%') }))
  await client.create(
    Job,
    draftOf(aJob({ name: 'setup', namespace, spec: { template: { ...job, spec: { ...job.spec, restartPolicy: 'OnFailure' } } } })),
  )
  await client.create(
    PodDisruptionBudget,
    draftOf(aPodDisruptionBudget({ name: 'router', namespace, spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'router' } } } })),
  )
  await client.create(Service, draftOf(aService({ name: 'router', namespace })))
  await client.create(Route, { metadata: { namespace, name: 'router' }, spec: { to: { kind: 'Service', name: 'router' } } })
}

async function upgrade({ client }: World): Promise<void> {
  for (const name of deployments) await client.patch(Deployment, { namespace, name }, toImage(name, imageOf('2')))
  await client.patch(StatefulSet, { namespace, name: 'etcd' }, toImage('etcd', imageOf('2')))
}

const isThrough = ({ state }: World): boolean => [...state.list(Deployment), ...state.list(StatefulSet)].every(isRolledOut)

function assertThrough({ state }: World): void {
  assert.deepEqual(
    new Set(
      state
        .list(Pod)
        .filter(({ status }) => status?.phase === 'Running')
        .flatMap(imagesOf),
    ),
    new Set([imageOf('2')]),
  )
  assert.equal(state.list(Pod).length, 3 + 3 + 4 + 1)
  assert.ok(isTrue(state.get(Job, { namespace, name: 'setup' })?.status?.conditions, 'Complete'))
  assert.equal(state.get(PodDisruptionBudget, { namespace, name: 'router' })?.status?.disruptionsAllowed, 1)
  assert.equal(state.get(Service, { namespace, name: 'router' })?.status?.loadBalancer?.ingress?.length, 1)
  assert.equal(state.get(Route, { namespace, name: 'router' })?.status?.ingress?.length, 1)
}

describe('Determinism rule: a control plane whose server, network and simulator fail all the time', () => {
  it('is upgraded in the end, and within its bounds all the way', async () => {
    await forEachSeed({ count: 20 }, async (seed) => {
      const script = async (world: World): Promise<void> => {
        await install(world)
        await world.sleep('90s')
        await upgrade(world)
        await world.calm()
        await world.until(() => isThrough(world), { within: '30m' })
        await world.settled({ within: '30m' })
        assertThrough(world)
      }
      await simulate(aWorld(seed, script, { faults: 'all', calmAfter: '3m', invariants: [neverTooFew(), neverTooMany, neverDoneTooSoon] }))
    })
  })

  it('is the same every time', async () => {
    const script = async (world: World): Promise<void> => {
      await install(world)
      await world.until(() => isThrough(world), { within: '10m' })
      await upgrade(world)
      await world.until(() => isThrough(world), { within: '30m' })
      await world.settled({ within: '30m' })
    }
    await assertRepeatable(aWorld(4711, script))
  })

  it('goes on with another process when the one that leads is killed', async () => {
    const script: Simulation['world'] = async (world) => {
      await install(world)
      await world.until(() => isThrough(world), { within: '10m' })
      await upgrade(world)
      for (let turn = 0; turn < 4; turn++) {
        await world.sleep('25s')
        for (const process of world.processes.values()) if (turn % 2 === Number(process.name === 'operator-1')) process.crash()
      }
      await world.until(() => isThrough(world), { within: '30m' })
      await world.settled({ within: '30m' })
      assertThrough(world)
    }
    await simulate(aWorld(12, script, { processes: 2, invariants: [neverTooFew(), neverTooMany, neverDoneTooSoon] }))
  })
})
