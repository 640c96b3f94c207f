import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ClusterOperator, ClusterVersion, ConfigMap, Namespace, UpgradeConfig } from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { startEmbedded } from '@windlass/apiserver'
import { parseTime, systemRandom, VirtualClock } from '@windlass/core'
import { connect } from '@windlass/kube'
import { place, standaloneCluster, workerMachines } from '@windlass/simulator'
import { allDefinitions } from '../../definitions.ts'
import { aContext, type Ended } from '../../fixtures.ts'
import { main } from '../../main.ts'

const now = '2026-03-06T12:00:00Z'
const namespace = 'openshift-managed-upgrade-operator'
const ref = { namespace, name: 'managed-upgrade-config' }

const local = 'upgradeType: OSD\nconfigManager: { source: LOCAL, localConfigName: managed-upgrade-config, watchInterval: 60 }\n'

/** A cluster at 4.18.15 that is offered 4.18.16, and a command line that asks it. */
async function aCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-upgrade-'))
  const server = await startEmbedded({ definitions: await allDefinitions() })
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, server.kubeconfig)
  const client = await connect({ kubeconfig, clock: new VirtualClock(), random: systemRandom, userAgent: 'test', fieldManager: 'test' })
  const installed = parseTime('2026-03-01T12:00:00Z') ?? assert.fail()
  const release = { version: '4.18.15', image: aReleaseImage('4.18.15') }
  await place(client, [...standaloneCluster({ release, installed, channel: 'stable-4.18' }), ...workerMachines({ installed })])
  const offered = [{ version: '4.18.16', image: aReleaseImage('4.18.16') }]
  await client.patchStatus(ClusterVersion, { name: 'version' }, { status: { availableUpdates: offered } })
  await client.create(Namespace, { metadata: { name: namespace } })
  const data = { 'config.yaml': local }
  await client.create(ConfigMap, { metadata: { namespace, name: 'managed-upgrade-operator-config' }, data })
  const ask = async (confirm: (() => Promise<boolean>) | undefined, args: readonly string[]): Promise<Ended> => {
    const { context, said } = aContext(new VirtualClock({ start: parseTime(now) ?? assert.fail() }))
    const status = await main(['upgrade', ...args, '--kubeconfig', kubeconfig], { ...context, confirm })
    return { status, ...said() }
  }
  return {
    client,
    upgrade: (...args: readonly string[]): Promise<Ended> => ask(undefined, args),
    /** Somebody is asked, and says yes after this has happened. */
    upgradeAfter: (meanwhile: () => Promise<unknown>, ...args: readonly string[]): Promise<Ended> =>
      ask(async () => {
        await meanwhile()
        return true
      }, args),
    configure: (yaml: string) =>
      client.patch(ConfigMap, { namespace, name: 'managed-upgrade-operator-config' }, { data: { 'config.yaml': yaml } }),
    async [Symbol.asyncDispose]() {
      await client.close()
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

describe('windlass upgrade', () => {
  it('plans without changing anything, asks before it writes, shows and calls off', { timeout: 60_000 }, async () => {
    await using cluster = await aCluster()
    const { client, upgrade, configure } = cluster

    const plan = await upgrade('plan', '4.18.16', '-o', 'json')
    assert.equal(plan.status, 0, plan.err)
    const planned = JSON.parse(plan.out) as {
      readonly validation: object
      readonly health: readonly object[]
      readonly expected: object
      readonly steps: readonly { readonly step: string; readonly what: string }[]
    }
    assert.deepEqual(planned.validation, { isValid: true })
    assert.equal(planned.steps.length, 17)
    assert.deepEqual(planned.health[2], { check: 'alerts', blocks: true, message: 'only the operator may ask the monitoring' })
    assert.deepEqual(planned.expected, {
      controlPlaneMinutes: 90,
      controlPlaneFrom: 'configuration',
      workers: 3,
      minutesPerWorker: 8,
      totalMinutes: 114,
      longestMinutes: 30 + 90 + 3 * 68,
    })
    assert.match(planned.steps[5]?.what ?? '', /^adds 3 machines/)
    assert.equal(await client.find(UpgradeConfig, ref), undefined)

    const impossible = await upgrade('plan', '4.18.14')
    assert.equal(impossible.status, 2)
    assert.match(impossible.out, /Valid: {4}no: downgrades from 4\.18\.15 to 4\.18\.14 are unsupported/)

    const upgradeable = { type: 'Upgradeable', status: 'False', reason: 'AdminAck', message: 'acknowledge', lastTransitionTime: now }
    await client.patchStatus(ClusterVersion, { name: 'version' }, { status: { conditions: [upgradeable] } })
    const held = await upgrade('plan', '4.19.1')
    assert.equal(held.status, 2)
    assert.match(held.out, /upgradeable +no +yes +cluster upgrade to version 4\.19\.1 .* has been cancelled: AdminAck: acknowledge/)
    assert.match(held.out, /alerts +not checked +yes/)
    assert.match((await upgrade('plan', '4.18.16')).out, /upgradeable +yes/)

    await configure(`${local}scale: { timeOut: 0 }\n`)
    const misconfigured = await upgrade('plan', '4.18.16')
    assert.equal(misconfigured.status, 2)
    assert.match(misconfigured.out, /configuration +no +yes .*scale\.timeOut/)
    await configure(local)

    await client.patchStatus(
      ClusterOperator,
      { name: 'etcd' },
      { status: { conditions: [{ type: 'Degraded', status: 'True', lastTransitionTime: now }] } },
    )
    const ill = await upgrade('plan', '4.18.16')
    assert.equal(ill.status, 2)
    assert.match(ill.out, /cluster operators +no +yes +degraded operators: etcd/)

    const unasked = await upgrade('start', '4.18.16')
    assert.equal(unasked.status, 1)
    assert.match(unasked.err, /say --yes/)
    const late = await upgrade('schedule', '4.18.16', '--at', '2026-03-06T22:00:00+01:00', '--no-capacity-reservation', '--yes')
    assert.equal(late.status, 0, late.err)
    assert.deepEqual((await client.get(UpgradeConfig, ref)).spec, {
      type: 'OSD',
      upgradeAt: '2026-03-06T21:00:00Z',
      PDBForceDrainTimeout: 60,
      desired: { version: '4.18.16', channel: 'stable-4.18' },
    })
    const shown = await upgrade('show')
    assert.match(shown.out, /Phase: New/)
    assert.equal((await upgrade('cancel', '--yes')).status, 0)
    assert.equal(await client.find(UpgradeConfig, ref), undefined)
    assert.match((await upgrade('show')).err, /there is no upgrade in namespace/)
  })

  it('refuses what would come to no good: a cluster of OCM, a second upgrade, one that has commenced', { timeout: 60_000 }, async () => {
    await using cluster = await aCluster()
    const { client, upgrade, configure } = cluster
    assert.equal((await upgrade('start', '4.18.16', '--yes')).status, 0)
    await configure('configManager: { source: OCM }')
    assert.match((await upgrade('cancel', '--yes')).err, /comes from OCM, which would bring it back: delete its upgrade policy there/)
    assert.ok((await client.find(UpgradeConfig, ref)) !== undefined)
    await configure(local)
    const status = { history: [{ version: '4.18.16', phase: 'Upgrading', startTime: now, conditions: [] }] }
    await client.patchStatus(UpgradeConfig, ref, { status })
    assert.match((await upgrade('start', '4.18.17', '--yes')).err, /an upgrade to 4\.18\.16 is under way/)
    await client.patch(ClusterVersion, { name: 'version' }, { spec: { desiredUpdate: { version: '4.18.16' } } })
    assert.match((await upgrade('cancel', '--yes')).err, /there is no way back/)
    await configure('configManager: { source: OCM }')
    assert.match((await upgrade('start', '4.18.16', '--yes')).err, /come from OCM/)
  })

  it('goes by what is true when the answer is given, not by what was true when it asked', { timeout: 60_000 }, async () => {
    await using cluster = await aCluster()
    const { client, upgrade, upgradeAfter } = cluster
    const spec = { type: 'OSD', upgradeAt: now, PDBForceDrainTimeout: 5, desired: { version: '4.18.16', channel: 'stable-4.18' } } as const
    const begins = async () => {
      await client.create(UpgradeConfig, { metadata: ref, spec })
      await client.patchStatus(UpgradeConfig, ref, { status: { history: [{ version: '4.18.16', phase: 'Upgrading', conditions: [] }] } })
    }
    assert.match((await upgradeAfter(begins, 'start', '4.18.16')).err, /an upgrade to 4\.18\.16 is under way/)
    assert.equal((await client.get(UpgradeConfig, ref)).spec.PDBForceDrainTimeout, 5)

    const commences = () => client.patch(ClusterVersion, { name: 'version' }, { spec: { desiredUpdate: { version: '4.18.16' } } })
    assert.match((await upgradeAfter(commences, 'cancel')).err, /there is no way back/)
    assert.ok((await client.find(UpgradeConfig, ref)) !== undefined)

    await client.patch(ClusterVersion, { name: 'version' }, { spec: { desiredUpdate: null } })
    const replaced = async () => {
      await client.delete(UpgradeConfig, ref)
      await client.create(UpgradeConfig, { metadata: ref, spec })
    }
    assert.match((await upgradeAfter(replaced, 'cancel')).err, /another upgrade has come meanwhile/)

    const edited = () => client.patch(UpgradeConfig, ref, { spec: { PDBForceDrainTimeout: 7 } })
    assert.equal((await upgradeAfter(edited, 'cancel')).status, 0)
    assert.equal(await client.find(UpgradeConfig, ref), undefined)
    // Extended support is offered in the channels of even minors.
    await client.patch(ClusterVersion, { name: 'version' }, { spec: { channel: 'eus-4.18' } })
    assert.equal((await upgrade('start', '4.19.1', '--yes')).status, 0)
    assert.equal((await client.get(UpgradeConfig, ref)).spec.desired.channel, 'eus-4.20')
  })
})
