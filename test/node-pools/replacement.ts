import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseTime } from '@windlass/core'
import { atMost, availableAtLeast } from '../../packages/hosted/src/node-pool/simulation/invariants.ts'
import { homeOf, namespace } from '../hosted/cluster.ts'
import { releases } from '../hosted/releases.ts'
import { table } from '../support/kubectl.ts'
import { aClusterForNodes, aConfig, aPool } from './objects.ts'
import { saidBy, statesFrom, statesSince, violationsSince } from './record.ts'
import type { Scene } from './story.ts'

const first = releases['4.19.6']
const second = releases['4.20.1']
const third = releases['4.20.2']
const expires = 'hypershift.openshift.io/ignition-token-expiration-timestamp'
const twoHours = 7_200_000

const revisionOf = ({ stage }: Scene): number => stage.recorder.changes().at(-1)?.revision ?? 0
const namesOf = ({ workers }: Scene): readonly string[] => workers.machines.map(({ metadata }) => metadata.name ?? '').toSorted()

/** Made, refused, upgraded after the control plane, configured anew, and reverted and paused in the middle. */
export function replacement(at: () => Scene): void {
  it('NP-02 has machines that fetch their configuration over TLS and become nodes of the guest', async () => {
    const { stage, prod, workers, metal } = at()
    const management = { upgradeType: 'Replace', autoRepair: false }
    const staying = { upgradeType: 'InPlace', autoRepair: false }
    const request = [
      aClusterForNodes('prod', first),
      aPool('workers', { cluster: 'prod', replicas: 3, release: first, management }),
      aPool('metal', { cluster: 'prod', replicas: 2, release: first, management: staying }),
    ]
    await stage.k.with({ input: request.join('\n---\n') }).ok`create -f -`
    await prod.untilAt(first)
    await workers.untilAt(first, 3)
    await metal.untilAt(first, 2)
    const guest = await prod.kubectlOfGuest()
    const nodes = table(await guest.ok`get nodes`)
    assert.deepEqual(
      nodes.map(({ STATUS, VERSION }) => `${STATUS} ${VERSION}`),
      Array.from({ length: 5 }, () => 'Ready v1.32.6'),
    )
    assert.equal(workers.token(workers.hash)?.metadata.annotations?.['hypershift.openshift.io/ignition-reached'], 'True')
  })

  it("shows upstream's columns in kubectl get nodepools", async () => {
    const [pool] = table(await at().stage.k.ok`-n ${namespace} get nodepools workers`)
    assert.deepEqual(pool, {
      NAME: 'workers',
      CLUSTER: 'prod',
      'DESIRED NODES': '3',
      'CURRENT NODES': '3',
      AUTOSCALING: 'False',
      AUTOREPAIR: 'False',
      VERSION: '4.19.6',
      UPDATINGVERSION: 'False',
      UPDATINGCONFIG: 'False',
      MESSAGE: '',
    })
  })

  it('NP-12 is refused above its control plane, and nothing rolls', async () => {
    const { workers } = at()
    const before = [workers.deployment?.metadata.generation, namesOf(at())]
    await workers.upgrade(second)
    await workers.until('to be refused', () => workers.said('ValidReleaseImage') === 'False/ValidationFailed')
    assert.equal(
      workers.condition('ValidReleaseImage')?.message,
      'Failed to get release image: the latest version supported is: "4.19.6". Attempting to use: "4.20.1"',
    )
    assert.deepEqual([workers.deployment?.metadata.generation, namesOf(at())], before)
  })

  it('NP-13 NP-37 NP-44 follows its control plane by the reference timeline, without being touched', async () => {
    const scene = at()
    const { stage, prod, workers, metal } = scene
    const a = workers.hash
    const began = revisionOf(scene)
    await prod.upgrade(second)
    await prod.untilAt(second)
    await workers.untilAt(second, 3)
    const b = workers.hash
    const changes = stage.recorder.changes()
    assert.deepEqual(
      statesFrom(began, changes, 'workers', (pool) => `${pool.status?.version} updating ${saidBy(pool, 'UpdatingVersion')}`),
      ['4.19.6 updating False', '4.19.6 updating True', '4.20.1 updating True', '4.20.1 updating False'],
    )
    const reached = statesFrom(began, changes, 'workers', (pool) => saidBy(pool, 'ReachedIgnitionEndpoint'))
    assert.deepEqual(reached, ['True', 'False/NotFound', 'False/ignitionNotReached', 'True'])
    const payload = statesFrom(began, changes, 'workers', (pool) => saidBy(pool, 'ValidGeneratedPayload'))
    // Whether somebody looks between the Secret and what is made of it is chance.
    assert.deepEqual(
      payload.filter((state) => state !== 'Unknown'),
      ['True', 'False/NotFound', 'True'],
    )
    const counts = statesSince(began, changes, 'workers', (pool) => `${pool.status?.replicas}`)
    assert.deepEqual(counts, ['3'], 'three nodes throughout')
    assert.deepEqual(violationsSince(began, changes, [atMost(4), availableAtLeast(3)]), [])
    assert.notEqual(a, b)
    const left = Date.now() + twoHours - (parseTime(workers.token(a)?.metadata.annotations?.[expires]) ?? 0)
    assert.ok(left >= 0 && left < 120_000, `token A is good for two hours from the beginning, and not for ${left} ms more or less`)
    await workers.until('to have no user data but those of B', () => {
      const names = workers.secrets.map(({ metadata }) => metadata.name ?? '')
      return names.join() === [`token-workers-${a}`, `token-workers-${b}`].toSorted().join() + `,user-data-workers-${b}`
    })
    assert.ok(metal.isAt(first, 2), 'the other pool may stay where it is')
    assert.equal(metal.said('SupportedVersionSkew'), 'True')
  })

  it('NP-31 is rolled when its configuration changes, and its version stays', async () => {
    const scene = at()
    const { stage, workers } = scene
    const before = namesOf(scene)
    const began = revisionOf(scene)
    await stage.k.with({ input: aConfig('motd', 'hello') }).ok`create -f -`
    await workers.patch({ spec: { config: [{ name: 'motd' }] } })
    await workers.until('to roll', () => workers.said('UpdatingConfig') === 'True')
    await workers.untilAt(second, 3)
    const said = statesSince(began, stage.recorder.changes(), 'workers', (pool) => saidBy(pool, 'UpdatingVersion'))
    assert.deepEqual(said, ['False'])
    assert.deepEqual(
      namesOf(scene).filter((name) => before.includes(name)),
      [],
    )
    assert.deepEqual(violationsSince(began, stage.recorder.changes(), [atMost(4), availableAtLeast(3)]), [])
  })

  it('is reverted in the middle: the nodes that it had stay, and the token that was to expire does not', async () => {
    const scene = at()
    const { stage, workers } = scene
    const before = namesOf(scene)
    const a = workers.hash
    const began = revisionOf(scene)
    await workers.fail('ignition-unreachable version=4.20.2')
    await workers.upgrade(third)
    await workers.until('to wait for its first new node', () => workers.machines.length === 4)
    await workers.until('to let token A expire', () => workers.token(a)?.metadata.annotations?.[expires] !== undefined)
    await workers.upgrade(second)
    await workers.until('to have taken the mark away', () => workers.token(a)?.metadata.annotations?.[expires] === undefined)
    await workers.untilAt(second, 3)
    await workers.fail()
    assert.deepEqual([namesOf(scene), workers.hash], [before, a])
    const versions = statesSince(began, stage.recorder.changes(), 'workers', (pool) => `${pool.status?.version}`)
    assert.deepEqual(versions, ['4.20.1'], 'what was never complete is never said')
    const marked = workers.secrets.filter(({ metadata }) => metadata.annotations?.[expires] !== undefined)
    assert.ok(marked.length > 0 && marked.every(({ metadata }) => metadata.name !== `token-workers-${a}`), 'B expires instead')
  })

  it('NP-62 stands still while it is paused in the middle, and goes on when it is resumed', async () => {
    const scene = at()
    const { stage, workers } = scene
    const before = namesOf(scene)
    await workers.fail('ignition-unreachable version=4.20.2')
    await workers.upgrade(third)
    await workers.until('to wait for its first new node', () => workers.machines.length === 4)
    await workers.patch({ spec: { pausedUntil: 'true' } })
    await workers.until('to be paused', () => workers.said('ReconciliationActive') === 'False/ReconciliationPaused')
    await workers.until('to have paused what rolls', () => workers.deployment?.metadata.annotations?.['cluster.x-k8s.io/paused'] === 'true')
    await workers.fail()
    await workers.until('to have its first new node', () => workers.nodes.includes('4.20.2: 1'))
    await new Promise((resolve) => setTimeout(resolve, 1000))
    assert.deepEqual(
      namesOf(scene).filter((name) => before.includes(name)),
      before,
      'no machine is replaced meanwhile',
    )
    await workers.patch({ spec: { pausedUntil: null } })
    await workers.untilAt(third, 3)
    assert.equal(workers.deployment?.metadata.annotations?.['cluster.x-k8s.io/paused'], undefined)
    assert.deepEqual(violationsSince(0, stage.recorder.changes(), [atMost(4)]), [])
    assert.match(await stage.k.ok`-n ${homeOf('prod')} get machines`, /4\.20\.2/)
  })
}
