import assert from 'node:assert/strict'
import { it } from 'node:test'
import { table } from '../support/kubectl.ts'
import { firstTarget } from './request.ts'
import { firstVersion } from './stage.ts'
import type { WatchedCluster } from './watched-cluster.ts'

export const secondTarget = '4.19.14'
/** A release that is not offered has to be named by its image too. */
const imageOf = (version: string): string => `example.com/ocp/release:${version}-x86_64`

/** What is made to go wrong, object by object, and what is said about it. */
const faults: readonly (readonly [object: string, words: string, summary: string])[] = [
  ['clusteroperator/dns', 'degraded reason=DNSDown', 'Cluster Operator dns is degraded (DNSDown)'],
  ['clusteroperator/network', 'unavailable reason=NoRoute', 'Cluster Operator network is unavailable (NoRoute)'],
  ['node/worker-0', 'not-ready', 'Node worker-0 is not ready'],
  ['node/worker-1', 'disk-pressure', 'Node worker-1 has disk pressure'],
  ['node/worker-2', 'network-unavailable', 'Node worker-2 has unavailable network'],
  ['node/master-2', 'degraded', 'Node master-2 is degraded'],
  ['machineconfigpool/worker', 'render', 'Pool worker cannot render its configuration'],
]

/** What goes wrong for a quarter of an hour, and then is well by itself. */
const passing = ['clusteroperator/etcd', 'degraded for=15m reason=Passing', 'Cluster Operator etcd is degraded (Passing)'] as const

export const slowOperator = 'Cluster Operator service-ca is updating longer than expected'
const anotherSlowOne = 'Cluster Operator console is updating longer than expected'
export const maybeFailing = 'Cluster Version version may be failing to proceed with the update (SlowClusterOperator)'
const late = `Update to ${secondTarget} is taking longer than estimated`
export const neverCompleted = `Previous update to ${firstTarget} never completed, last complete update was ${firstVersion}`
const rolledBack = `Previous update to ${secondTarget} never completed, last complete update was ${firstVersion}`
const paused = "Outdated nodes in a paused pool 'worker' will not be updated"

/** From the first operator to the last, with everything going wrong on the way that can. */
export function theControlPlane(cluster: () => WatchedCluster, kill: () => Promise<void>): void {
  it('begin with a release that is accepted after all', async () => {
    // The one that is to hold up the update half-way.
    await cluster().fail('clusteroperator/service-ca', 'stuck')
    await cluster().fail('clusteroperator/console', 'slow factor=1000')
    await cluster().fail('clusterversion/version')
    await cluster().until(
      'to progress, and to be refused no more',
      () => cluster().insight?.assessment === 'Progressing' && cluster().troubles.size === 0,
    )
    const { versions, estimatedCompletedAt, completedAt } = cluster().insight ?? assert.fail()
    assert.deepEqual(versions, { target: { version: firstTarget }, previous: { version: firstVersion } })
    assert.notEqual(estimatedCompletedAt, undefined)
    assert.equal(completedAt, undefined)
    await cluster().until('service-ca to wait for its turn', () => cluster().operatorReason('service-ca') === 'Pending')
    await cluster().until(
      'nodes to be behind',
      () => cluster().pool('worker')?.assessment === 'Pending' && cluster().nodeReason('master-0') === 'Pending',
    )
    await cluster().assertSays(
      /^= Control Plane =$/,
      /^Assessment: +Progressing$/,
      new RegExp(`^Target Version: +${firstTarget} \\(from ${firstVersion}\\)$`),
      /^Completion: +\d+% \(\d+ operators updated, \d+ updating, \d+ waiting\)$/,
      /^Duration: +(now|\d+s) \(Est. Time Remaining: <10m\)$/,
      /^Operator Health: 33 Healthy$/,
      /^Control Plane Nodes$/,
      /^master-0 +Outdated +Pending +4\.19\.10 +\?$/,
      /^= Worker Upgrade =$/,
      /^worker +Pending +0% \(0\/3\) +3 Available, 0 Progressing, 0 Draining$/,
      /^(now|\d+s) +Info +None +Update is proceeding well$/,
    )
  })

  it('tell of an update that came before the last one was done', async () => {
    await cluster().until('to have moved', () => (cluster().insight?.completionPercent ?? 0) > 3)
    await cluster().update(secondTarget)
    await cluster().untilTroubled(neverCompleted)
    assert.deepEqual(cluster().history.slice(0, 2), [`Partial ${secondTarget}`, `Partial ${firstTarget}`])
    assert.deepEqual(cluster().insight?.versions, {
      target: { version: secondTarget },
      previous: { version: firstTarget, metadata: [{ key: 'Partial' }] },
    })
    await cluster().assertSays(new RegExp(`^Target Version: +${secondTarget} \\(from incomplete ${firstTarget}\\)$`))
  })

  it('tell of one that goes back: what was never completed is then the one that was left', async () => {
    await cluster().patch({ spec: { desiredUpdate: { version: firstTarget, image: imageOf(firstTarget) } } })
    await cluster().untilTroubled(rolledBack)
    await cluster().untilRelieved(neverCompleted)
    assert.deepEqual(cluster().history.slice(0, 3), [`Partial ${firstTarget}`, `Partial ${secondTarget}`, `Partial ${firstTarget}`])
    await cluster().assertSays(new RegExp(`^Target Version: +${firstTarget} \\(from incomplete ${secondTarget}\\)$`))
    await cluster().patch({ spec: { desiredUpdate: { version: secondTarget, image: imageOf(secondTarget) } } })
    await cluster().untilTroubled(neverCompleted)
    await cluster().untilRelieved(rolledBack)
  })

  it('go from operator to operator', async () => {
    await cluster().until('etcd to be updated', () => cluster().operatorReason('etcd') === 'Updated')
    await cluster().until('service-ca to be at it', () => cluster().operatorReason('service-ca') === 'Progressing')
    await cluster().assertSays(/^Updating: .*service-ca/)
    const row = table(await cluster().k.ok`get clusteroperatorprogressinsights`).find((each) => each['NAME'] === 'service-ca')
    assert.deepEqual([row?.['UPDATING'], row?.['HEALTHY']], ['Progressing', 'AsExpected'])
  })

  it('tell of everything that goes wrong, all at once', async () => {
    for (const [object, words] of faults) await cluster().fail(object, words)
    await cluster().k.ok`patch machineconfigpool worker --type=merge -p ${{ spec: { paused: true } }}`
    // Last, for it is told of for a few seconds only.
    await cluster().fail(passing[0], passing[1])
    await cluster().untilTroubled(passing[2])
    await cluster().untilTroubled(...faults.map(([, , summary]) => summary), paused)
    for (const trouble of ['Warning Node worker-0 is not ready', 'Error Node master-2 is degraded', `Warning ${paused}`])
      assert.ok(cluster().troubles.has(trouble), `${trouble} is not in ${[...cluster().troubles].join(', ')}`)
    const { status, text } = await cluster().status('--details=health')
    assert.equal(status, 2)
    for (const [, , summary] of faults) assert.ok(text.includes(`Message: ${summary}\n`), `${summary} is not in\n${text}`)
    assert.match(text, /Reference: {3}https:\/\/github\.com\/openshift\/runbooks\/.*ClusterOperatorDown\.md/)
  })

  it('T41 remember when something moved last, though whoever knew it was killed', async () => {
    // All are done but the one that is stuck, the one that is slow, and the three that come after them.
    await cluster().until('to come to rest', () => cluster().insight?.completionPercent === 84)
    const { lastObservedProgress, completionPercent } = cluster().insight ?? assert.fail()
    await kill()
    await cluster().k.ok`delete updatehealthinsights --all`
    await cluster().untilTroubled(...faults.map(([, , summary]) => summary), paused)
    assert.deepEqual(
      [cluster().insight?.completionPercent, cluster().insight?.lastObservedProgress],
      [completionPercent, lastObservedProgress],
    )
  })

  it('stop telling of what is over', async () => {
    for (const [object] of faults) await cluster().fail(object)
    await cluster().k.ok`patch machineconfigpool worker --type=merge -p ${{ spec: { paused: false } }}`
    await cluster().untilRelieved(...faults.map(([, , summary]) => summary), passing[2], paused)
  })

  it('tell that the version operator cannot go on, and that it can', async () => {
    for (const [mode, summary] of [
      ['manifest-rejected', /^Cluster Version version is failing to proceed with the update \(/],
      ['broken', /^Cluster Version version is failing to proceed with the update$/],
    ] as const) {
      const isTold = (): boolean => cluster().health.some(({ status }) => summary.test(status?.impact.summary ?? ''))
      await cluster().fail('clusterversion/version', mode)
      await cluster().until(`to be told of ${mode}`, isTold)
      assert.deepEqual([cluster().insight?.assessment, cluster().condition('Healthy')?.reason], ['Degraded', 'ClusterVersionFailing'])
      await cluster().fail('clusterversion/version')
      await cluster().until(`not to be told of ${mode} any more`, () => !isTold())
    }
  })

  it('tell that an operator takes too long, that it holds up the update, and that the update is late', async () => {
    await cluster().untilTroubled(slowOperator, anotherSlowOne, maybeFailing, late)
    await cluster().until('to be stalled', () => cluster().troubles.has(`Error ${late}`))
    assert.equal(cluster().insight?.assessment, 'Degraded')
    assert.equal((await cluster().status()).status, 2)
    await cluster().assertSays(
      /^Assessment: +Degraded$/,
      /^Updating: +console, service-ca$/,
      /Error +Update Stalled +Update to 4\.19\.14 is taking longer/,
    )
    await cluster().fail('clusteroperator/console')
    await cluster().untilRelieved(anotherSlowOne)
    assert.ok(cluster().health.some(({ status }) => status?.impact.summary === slowOperator))
  })
}
