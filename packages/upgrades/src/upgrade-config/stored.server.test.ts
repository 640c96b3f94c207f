import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersion, type KubernetesObject, machineApi, Namespace, Pod, toCrd, UpgradeConfig } from '@windlass/api'
import { anUpgradeConfig, aPod, aReleaseDigest } from '@windlass/api/fixtures'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { seededRandom } from '@windlass/core'
import { type Client, createClient, inProcessTransport, isConflict, isInvalid, patchStatus, type PatchAction, refOf } from '@windlass/kube'
import { prepareUpdate } from '../cluster/index.ts'
import { strategiesFor } from '../drain/index.ts'
import { recordSent, wasSent } from '../notifications/index.ts'
import { cloneOf, isExtra } from '../scaling/index.ts'
import { runUpgrade, upgraderFor } from '../steps/index.ts'
import { aPass, at, aWorkerSet, configured, healthyFacts, now, recordingHands, theCluster, thePool, theUpgrade } from '../testing/index.ts'
import { withWorkerTimes } from '../worker-pool/index.ts'
import { entryOf, historyOf, openEntry, reapplied, withEntry } from './index.ts'

const kinds = [UpgradeConfig, ClusterVersion, machineApi.MachineSet]
const namespace = 'openshift-managed-upgrade-operator'

interface Stage extends AsyncDisposable {
  readonly client: Client
}

/** A real server that knows our kinds, and a client in the same process. */
async function startCluster(): Promise<Stage> {
  const server = await startTestServer({ definitions: kinds.map((kind) => toCrd(kind)) as never })
  const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const client = createClient({ transport, clock: server.clock, random: seededRandom('client'), userAgent: 'test', fieldManager: 'test' })
  for (const name of [namespace, 'openshift-machine-api', 'app']) await client.create(Namespace, { metadata: { name } })
  return { client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** Without what the server itself writes. */
function draftOf<T extends KubernetesObject>({ metadata, ...object }: T): T {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, generation: ____, ...kept } = metadata
  return { ...object, metadata: kept } as unknown as T
}

const sent = (client: Client, { kind, ref, patch, resourceVersion }: PatchAction) =>
  client.patch(
    kind,
    ref,
    resourceVersion === undefined ? patch : { ...patch, metadata: { ...(patch['metadata'] as object), resourceVersion } },
  )

describe('an UpgradeConfig on a server', () => {
  it('C01 is refused without a type, of another type, or with a time out below zero', async () => {
    await using cluster = await startCluster()
    const { spec, ...rest } = draftOf(anUpgradeConfig())
    const { type: _, ...untyped } = spec
    for (const bad of [untyped, { ...spec, type: 'AWS' }, { ...spec, PDBForceDrainTimeout: -1 }]) {
      await assert.rejects(cluster.client.create(UpgradeConfig, { ...rest, spec: bad as never }), isInvalid)
    }
  })

  it('F01 Δ11 keeps the failure of its upgrade', async () => {
    await using cluster = await startCluster()
    const created = await cluster.client.create(UpgradeConfig, draftOf(theUpgrade()))
    const opened = { ...created, status: { history: openEntry(created, theCluster(), now) } }
    const entry = entryOf(opened)
    assert.ok(entry !== undefined)
    const late = aPass({ upgradeConfig: opened, entry: { ...entry, phase: 'Upgrading', startTime: at(-121) } })
    const result = await runUpgrade(upgraderFor('OSD'), late, recordingHands(healthyFacts()))
    await patchStatus(cluster.client, UpgradeConfig, created, { history: withEntry(historyOf(opened), result.entry) })
    const stored = await cluster.client.get(UpgradeConfig, refOf(created))
    assert.equal(entryOf(stored)?.phase, 'Failed')
    assert.deepEqual(entryOf(stored)?.conditions, result.entry.conditions)
  })

  it('R18 Δ06 keeps what both of its writers wrote', async () => {
    await using cluster = await startCluster()
    const created = await cluster.client.create(UpgradeConfig, draftOf(theUpgrade()))
    const base = theUpgrade({ entry: { startTime: at(-30) } })
    const begun = await patchStatus(cluster.client, UpgradeConfig, created, { history: historyOf(base) })
    const entry = entryOf(begun)
    assert.ok(entry !== undefined)
    const pass = aPass({ upgradeConfig: begun, facts: { clusterVersion: { value: theCluster() } } })
    const ours = await runUpgrade(upgraderFor('OSD'), pass, recordingHands({ ...healthyFacts(), alerts: { value: ['Bad'] } }))
    const theirs = withEntry(historyOf(begun), withWorkerTimes(entry, thePool(1, 3), true, now))
    await patchStatus(cluster.client, UpgradeConfig, begun, { history: theirs })
    const stale = patchStatus(
      cluster.client,
      UpgradeConfig,
      begun,
      { history: withEntry(historyOf(begun), ours.entry) },
      { ifUnchanged: true },
    )
    await assert.rejects(stale, isConflict)
    const read = await cluster.client.get(UpgradeConfig, refOf(begun))
    await patchStatus(
      cluster.client,
      UpgradeConfig,
      read,
      { history: reapplied(historyOf(read), ours.entry, 'controller') },
      { ifUnchanged: true },
    )
    const stored = entryOf(await cluster.client.get(UpgradeConfig, refOf(begun)))
    assert.equal(stored?.workerStartTime, at(0))
    assert.equal(stored?.conditions?.[0]?.type, 'ClusterHealthyBeforeUpgrade')
  })

  it('N07 Δ31 remembers what was sent, and no two writers lose each other', async () => {
    await using cluster = await startCluster()
    const created = await cluster.client.create(UpgradeConfig, draftOf(theUpgrade()))
    const [first, second] = [recordSent(created, 'StateStarted'), recordSent(created, 'StateDelayed')]
    assert.ok(first !== undefined && second !== undefined)
    await sent(cluster.client, first)
    await assert.rejects(sent(cluster.client, second), isConflict)
    const again = await cluster.client.get(UpgradeConfig, refOf(created))
    const retried = recordSent(again, 'StateDelayed')
    assert.ok(retried !== undefined)
    await sent(cluster.client, retried)
    const stored = await cluster.client.get(UpgradeConfig, refOf(created))
    assert.ok(wasSent(stored, 'StateStarted') && wasSent(stored, 'StateDelayed'))
  })
})

describe('what steps write, on a server', () => {
  it('P11 P12 goes through with a ClusterVersion', async () => {
    await using cluster = await startCluster()
    const { client } = cluster
    const made = await client.create(ClusterVersion, draftOf(theCluster({ conditional: ['4.4.6'] })))
    const offered = await patchStatus(client, ClusterVersion, made, theCluster({ conditional: ['4.4.6'] }).status ?? {})
    const conditional = prepareUpdate({ version: '4.4.6', channel: 'fast-4.4' }, offered)
    assert.ok(conditional.is === 'ready')
    await sent(client, conditional.action)
    assert.deepEqual((await client.get(ClusterVersion, { name: 'version' })).spec.desiredUpdate, {
      version: '4.4.6',
      image: 'example.com/ocp/release:4.4.6-x86_64-conditional',
    })
    const image = aReleaseDigest('4.4.6')
    const byImage = prepareUpdate({ image }, offered)
    assert.ok(byImage.is === 'ready')
    await sent(client, byImage.action)
    assert.deepEqual((await client.get(ClusterVersion, { name: 'version' })).spec.desiredUpdate, { image })
  })

  it('X01 makes a machine set of a copy', async () => {
    await using cluster = await startCluster()
    const copy = await cluster.client.create(machineApi.MachineSet, cloneOf(aWorkerSet('workers-a')))
    assert.ok(isExtra(copy))
    assert.deepEqual(copy.spec.template?.spec?.providerSpec, aWorkerSet('workers-a').spec.template?.spec?.providerSpec)
  })

  it('D06 frees a pod of its finalizers, so that it can go', async () => {
    await using cluster = await startCluster()
    const { client } = cluster
    const held = await client.create(Pod, draftOf(aPod({ namespace: 'app', name: 'held', metadata: { finalizers: ['example.com/held'] } })))
    const terminating = await client.delete(Pod, refOf(held), { gracePeriodSeconds: 0 })
    assert.ok(terminating !== undefined)
    const strategy = strategiesFor(theUpgrade(), configured({}), []).find(({ matches }) => matches(terminating))
    const effect = strategy?.effect(terminating)
    assert.equal(strategy?.name, 'DEFAULT-FINALIZER')
    assert.ok(effect?.do === 'act' && effect.action.do === 'patch')
    await sent(client, effect.action)
    assert.equal(await client.find(Pod, refOf(held)), undefined)
  })
})
