import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { HostedControlPlane, LogicalCluster } from '@windlass/api'
import { aHostedControlPlane, aLogicalCluster } from '@windlass/api/fixtures'
import { systemRandom, VirtualClock } from '@windlass/core'
import { event, status } from '@windlass/kube'
import { run } from '../fixtures.ts'
import { chooseControllers, controllerNames } from './controllers.ts'
import { isOurs } from './run.ts'

const parts = { clock: new VirtualClock(), random: systemRandom }

describe('windlass operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-operator-'))
  after(() => rmSync(folder, { recursive: true }))

  it('runs every controller unless told which', async () => {
    assert.deepEqual(
      (await chooseControllers(parts)).map(({ name }) => name),
      controllerNames,
    )
    assert.deepEqual(
      (await chooseControllers(parts, ['control-plane-version'])).map(({ name }) => name),
      ['control-plane-version'],
    )
  })

  it('names the controllers there are when it is asked for another', async () => {
    const { status, err } = await run('operator', '--controllers', 'toString,control-plane-version')
    assert.equal(status, 1)
    assert.equal(err, 'windlass: there is no controller toString: choose from logical-cluster-status, control-plane-version\n')
  })

  it('says that the kubeconfig is missing', async () => {
    const { status, err } = await run('operator', '--kubeconfig', join(folder, 'none'), '--log-level', 'silent')
    assert.equal(status, 1)
    assert.match(err, /^windlass: .*none.*\n$/)
  })

  it('says what is wrong with the release catalogue', async () => {
    const file = join(folder, 'releases.yaml')
    const missing = await run('operator', '--release-catalogue', file)
    assert.deepEqual([missing.status, missing.err], [1, `windlass: the release catalogue ${file} cannot be read: there is no such file\n`])
    writeFileSync(file, 'releases: 7')
    const wrong = await run('operator', '--release-catalogue', file)
    assert.equal(wrong.status, 1)
    assert.match(wrong.err, /^windlass: .*releases/)
  })

  it('that only observes changes what is ours, and tells nobody', () => {
    const [cluster, controlPlane] = [aLogicalCluster(), aHostedControlPlane()]
    assert.equal(isOurs(status(LogicalCluster, cluster, {}, '')), true)
    assert.equal(isOurs(status(HostedControlPlane, controlPlane, {}, '')), false)
    assert.equal(isOurs(event(cluster, 'Normal', 'Word', 'note')), false)
  })
})
