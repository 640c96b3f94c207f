import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { HostedControlPlane, LogicalCluster } from '@windlass/api'
import { aHostedControlPlane, aLogicalCluster } from '@windlass/api/fixtures'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { systemRandom } from '@windlass/core'
import { create, createClient, event, inProcessTransport, remove, silentLog, status } from '@windlass/kube'
import { run } from '../fixtures.ts'
import { chooseControllers, controllerNames } from './controllers.ts'
import { isOurs } from './run.ts'

describe('windlass operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-operator-'))
  after(() => rmSync(folder, { recursive: true }))

  /** A cluster without anything in it. */
  async function anOperator() {
    const server = await startTestServer()
    const { clock } = server
    const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
    const client = createClient({ transport, clock, random: systemRandom, userAgent: 'test', fieldManager: 'test' })
    const parts = { clock, random: systemRandom, log: silentLog, client: () => Promise.resolve(client) }
    return { parts, [Symbol.asyncDispose]: () => server.api.stop() }
  }

  it('runs every controller unless told which, but for one that is a part of another', async () => {
    await using operator = await anOperator()
    const names = async (...chosen: (readonly string[])[]) => (await chooseControllers(operator.parts, ...chosen)).map(({ name }) => name)
    assert.deepEqual(await names(), ['logical-cluster-status', 'hosted-cluster', 'hosted-control-plane', 'status-bridge'])
    assert.deepEqual(await names(['control-plane-version']), ['control-plane-version'])
    for (const name of controllerNames) assert.deepEqual(await names([name]), [name])
  })

  it('does not let two controllers write the same', async () => {
    await using operator = await anOperator()
    await assert.rejects(
      chooseControllers(operator.parts, ['hosted-control-plane', 'control-plane-version']),
      /both would write the same field/,
    )
  })

  it('names the controllers there are when it is asked for another', async () => {
    const { status, err } = await run('operator', '--controllers', 'toString,control-plane-version')
    assert.equal(status, 1)
    assert.equal(err, `windlass: there is no controller toString: choose from ${controllerNames.join(', ')}\n`)
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

  it('that only observes changes the status of what is ours, makes and deletes no API of a guest, and tells nobody', () => {
    const [cluster, controlPlane] = [aLogicalCluster(), aHostedControlPlane()]
    assert.equal(isOurs(status(LogicalCluster, cluster, {}, '')), true)
    assert.equal(isOurs(create(LogicalCluster, cluster, '')), false)
    assert.equal(isOurs(remove(LogicalCluster, cluster, '')), false)
    assert.equal(isOurs(status(HostedControlPlane, controlPlane, {}, '')), false)
    assert.equal(isOurs(event(cluster, 'Normal', 'Word', 'note')), false)
  })
})
