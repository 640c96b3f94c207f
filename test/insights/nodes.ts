import assert from 'node:assert/strict'
import { it } from 'node:test'
import { recordsOf } from '@windlass/insights'
import { table } from '../support/kubectl.ts'
import { maybeFailing, neverCompleted, secondTarget, slowOperator } from './control-plane.ts'
import type { WatchedCluster } from './watched-cluster.ts'

const workers = ['worker-0', 'worker-1', 'worker-2'] as const

/** A Pod on each worker, and a budget that lets none of them go. */
const shop = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  ...workers.map((nodeName) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name: `checkout-${nodeName}`, labels: { app: 'checkout' } },
    spec: { nodeName, containers: [{ name: 'checkout', image: 'example.com/shop/checkout:1' }] },
  })),
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { namespace: 'shop', name: 'checkout' },
    spec: { minAvailable: workers.length, selector: { matchLabels: { app: 'checkout' } } },
  },
]

const degraded = 'Node worker-1 is degraded'

/** From the first node that is drained to the last that is back, some time after the control plane is done. */
export function theNodes(cluster: () => WatchedCluster, kill: () => Promise<void>): void {
  const drained = (): string | undefined => workers.find((name) => cluster().nodeReason(name) === 'Draining')

  it('begin when nothing holds up the control plane any more', async () => {
    await cluster().k.with({ input: shop.map((object) => JSON.stringify(object)).join('\n---\n') }).ok`create -f -`
    // The machines of the control plane come first, and one of them is held up where it can be looked at.
    await cluster().fail('machineconfigpool/worker', 'render')
    await cluster().fail('node/master-0', 'drain-blocked')
    await cluster().fail('clusteroperator/service-ca')
    await cluster().untilRelieved(slowOperator, maybeFailing)
    await cluster().until(
      'to reach the machine configs',
      () => cluster().operatorReason('machine-config') === 'Progressing' && cluster().insight?.completionPercent === 96,
    )
    await cluster().assertSays(/^Updating: +machine-config$/, /^Completion: +96% \(32 operators updated, 1 updating, 0 waiting\)$/)
  })

  it('tell which machine of the control plane is drained, and which is restarted', async () => {
    await cluster().until('a master to be drained', () => cluster().nodeReason('master-0') === 'Draining')
    await cluster().assertSays(/^Control Plane Nodes$/, /^master-0 +Progressing +Draining +4\.19\.10 +\+10m/)
    // A restart that does not end, before it may begin.
    await cluster().fail('node/master-0', 'not-ready')
    await cluster().until('it to be restarted', () => cluster().nodeReason('master-0') === 'Rebooting')
    await cluster().assertSays(/^Control Plane Nodes$/, /^master-0 +Progressing +Rebooting +4\.19\.10 +\+10m/)
    await cluster().fail('node/master-0')
    await cluster().fail('machineconfigpool/worker')
  })

  it('T107 tell which budget is in the way of a drain', async () => {
    await cluster().until('a worker to be drained', () => drained() !== undefined)
    const node = drained() ?? assert.fail()
    const summary = `Draining of node ${node} is blocked`
    await cluster().untilTroubled(summary)
    const { scope, impact } = cluster().health.find(({ status }) => status?.impact.summary === summary)?.status ?? assert.fail()
    assert.deepEqual(scope, {
      type: 'WorkerPool',
      resources: [
        { resource: 'nodes', name: node },
        { group: 'policy', resource: 'poddisruptionbudgets', namespace: 'shop', name: 'checkout' },
      ],
    })
    assert.match(impact.description ?? '', /shop\/checkout/)
  })

  it('T109 tell that the control plane is done and nodes are not', async () => {
    await cluster().until(
      'the control plane to be done',
      () => cluster().progress === 'Completed 100' && cluster().history[0] === `Completed ${secondTarget}`,
    )
    assert.equal(cluster().pool('worker')?.assessment, 'Progressing')
    await cluster().untilRelieved(neverCompleted)
    await cluster().assertSays(
      new RegExp(`^Update to ${secondTarget} successfully completed at \\S+Z \\(duration: `),
      /^= Worker Upgrade =$/,
      /^worker +Progressing +0% \(0\/3\)/,
      /^worker-\d +Progressing +Draining +4\.19\.10 +\+10m/,
      /Update Speed +Draining of node worker-\d is blocked$/,
    )
  })

  it('are kept by whoever comes after one that was killed', async () => {
    const node = drained() ?? assert.fail()
    const told = (): string | undefined =>
      cluster().health.find(({ status }) => status?.impact.summary === `Draining of node ${node} is blocked`)?.metadata.uid
    const before = told() ?? assert.fail()
    await kill()
    // What is told now is told by the successor.
    await cluster().fail('node/worker-2', 'disk-pressure')
    await cluster().untilTroubled('Node worker-2 has disk pressure')
    assert.equal(told(), before)
    assert.equal(cluster().nodeReason(node), 'Draining')
    await cluster().fail('node/worker-2')
    await cluster().untilRelieved('Node worker-2 has disk pressure')
  })

  it('say that a drain has failed for good, and that it has not when it goes on', async () => {
    const summary = `Draining of node ${drained() ?? assert.fail()} is blocked`
    await cluster().until('the drain to have failed', () => cluster().troubles.has(`Error ${summary}`))
    await cluster().fail('node/worker-1', 'degraded')
    await cluster().k.ok`-n shop delete poddisruptionbudget checkout`
    await cluster().untilRelieved(summary)
  })

  it('tell of a node whose daemon fails, and that it goes on', async () => {
    await cluster().untilTroubled(degraded)
    assert.equal(cluster().pool('worker')?.assessment, 'Degraded')
    // The next one, before it may begin: that comes after the one that fails.
    await cluster().fail('node/worker-2', 'drain-blocked')
    await cluster().fail('node/worker-1')
    await cluster().untilRelieved(degraded)
  })

  it('tell of a drain that is blocked by something else', async () => {
    const summary = 'Draining of node worker-2 is blocked'
    await cluster().untilTroubled(summary)
    await cluster().fail('node/worker-2')
    await cluster().untilRelieved(summary)
  })

  it('end with every node at the new version', async () => {
    await cluster().until('workers to be updated', () => cluster().pool('worker')?.assessment === 'Completed')
    const nodes = table(await cluster().k.ok`get nodeprogressinsights`)
    assert.deepEqual([...new Set(nodes.map((node) => `${node['PHASE']} ${node['VERSION']}`))], [`Completed ${secondTarget}`])
    // What the next update's estimate learns from.
    for (const insight of ['clusteroperatorprogressinsight/dns', 'machineconfigpoolprogressinsight/master']) {
      const { annotations = {} } = (await cluster().k.object`get ${insight} -o json`).metadata
      const [record] = recordsOf({ metadata: { annotations } })
      assert.deepEqual([record?.to, (record?.doneAfter ?? 0) > 0], [secondTarget, true], JSON.stringify(annotations))
    }
    await cluster().until('to have no troubles', () => cluster().health.length === 0)
    assert.deepEqual(await cluster().status(), { status: 0, text: 'The cluster is not updating.\n' })
  })
}
