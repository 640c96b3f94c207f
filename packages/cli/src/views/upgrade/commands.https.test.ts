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
  const data = {
    'config.yaml': 'upgradeType: OSD\nconfigManager: { source: LOCAL, localConfigName: managed-upgrade-config, watchInterval: 60 }\n',
  }
  await client.create(ConfigMap, { metadata: { namespace, name: 'managed-upgrade-operator-config' }, data })
  return {
    client,
    upgrade: async (...args: readonly string[]): Promise<Ended> => {
      const { context, said } = aContext(new VirtualClock({ start: parseTime(now) ?? assert.fail() }))
      const status = await main(['upgrade', ...args, '--kubeconfig', kubeconfig], context)
      return { status, ...said() }
    },
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
    const { client, upgrade } = cluster

    const plan = await upgrade('plan', '4.18.16', '-o', 'json')
    assert.equal(plan.status, 0, plan.err)
    const planned = JSON.parse(plan.out) as {
      readonly validation: object
      readonly steps: readonly { readonly step: string; readonly what: string }[]
    }
    assert.deepEqual(planned.validation, { isValid: true })
    assert.equal(planned.steps.length, 17)
    assert.match(planned.steps[5]?.what ?? '', /^adds 3 machines/)
    assert.equal(await client.find(UpgradeConfig, ref), undefined)

    const impossible = await upgrade('plan', '4.18.14')
    assert.equal(impossible.status, 2)
    assert.match(impossible.out, /Valid: {4}no: downgrades from 4\.18\.15 to 4\.18\.14 are unsupported/)

    await client.patchStatus(
      ClusterOperator,
      { name: 'etcd' },
      { status: { conditions: [{ type: 'Degraded', status: 'True', lastTransitionTime: now }] } },
    )
    const ill = await upgrade('plan', '4.18.16')
    assert.equal(ill.status, 2)
    assert.match(ill.out, /cluster operators {6}no {8}yes {6}degraded operators: etcd/)

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
    const { client, upgrade } = cluster
    assert.equal((await upgrade('start', '4.18.16', '--yes')).status, 0)
    const status = { history: [{ version: '4.18.16', phase: 'Upgrading', startTime: now, conditions: [] }] }
    await client.patchStatus(UpgradeConfig, ref, { status })
    assert.match((await upgrade('start', '4.18.17', '--yes')).err, /an upgrade to 4\.18\.16 is under way/)
    await client.patch(ClusterVersion, { name: 'version' }, { spec: { desiredUpdate: { version: '4.18.16' } } })
    assert.match((await upgrade('cancel', '--yes')).err, /there is no way back/)
    await client.patch(
      ConfigMap,
      { namespace, name: 'managed-upgrade-operator-config' },
      { data: { 'config.yaml': 'configManager: { source: OCM }' } },
    )
    assert.match((await upgrade('start', '4.18.16', '--yes')).err, /come from OCM/)
  })
})
