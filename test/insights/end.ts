import assert from 'node:assert/strict'
import { it } from 'node:test'
import { secondTarget } from './control-plane.ts'
import type { WatchedCluster } from './watched-cluster.ts'

/** The cluster version goes, and comes back. */
export function theEnd(cluster: () => WatchedCluster): void {
  it('T08 go with the cluster version, and begin anew with the next one', async () => {
    const { k } = cluster()
    const { spec } = await k.object`get clusterversion version -o json`
    const image = (await k.ok`get clusterversion version -o jsonpath={.status.desired.image}`).trim()
    await k.ok`annotate clusterversion version oue.openshift.muller.dev/force-health-insight=yes`
    await cluster().until('to be told', () => cluster().health.length === 1)
    await k.ok`delete clusterversion version`
    await cluster().until('insights to be gone', () => cluster().insight === undefined && cluster().health.length === 0)
    assert.equal(cluster().operators.length, 33)
    assert.match((await cluster().status()).text, /clusterversion/i)
    const desiredUpdate = { version: secondTarget, image }
    const again = {
      apiVersion: 'config.openshift.io/v1',
      kind: 'ClusterVersion',
      metadata: { name: 'version' },
      spec: { ...spec, desiredUpdate },
    }
    await k.with({ input: JSON.stringify(again) }).ok`create -f -`
    await cluster().until('to be there again', () => cluster().insight !== undefined)
    assert.deepEqual(cluster().insight?.versions, { target: { version: secondTarget, metadata: [{ key: 'Installation' }] } })
    await cluster().until('to be complete', () => cluster().progress === 'Completed 100')
    assert.deepEqual(cluster().history, [`Completed ${secondTarget}`])
    await cluster().until('to have no troubles', () => cluster().health.length === 0)
  })
}
