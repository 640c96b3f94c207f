import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseTime } from '@windlass/core'
import { namespace } from './cluster.ts'
import { assertLeft, inventory } from './inventory.ts'
import type { Scene } from './story.ts'

const gracePeriod = 15

/** What is there because of a cluster, by its name or by that of its namespace. */
const about = (objects: readonly string[], name: string): readonly string[] =>
  objects.filter((object) => new RegExp(String.raw`[/-]${name}(?![^- ])`).test(object) && !object.startsWith('CustomResourceDefinition '))

/** What people made themselves. */
const staying = (name: string): readonly string[] => [`Secret clusters/${name}-pull-secret`, `Secret clusters/${name}-ssh-key`]

/** Both go: one at once, one after a while. */
export function theEnd(at: () => Scene): void {
  it('at once when it is deleted, and leaves nothing behind', async () => {
    const { stage, dev } = at()
    const guest = await dev.kubectlOfGuest()
    await guest.ok`get clusterversion version`
    await stage.k.ok`-n ${namespace} delete hc dev --timeout=28s`
    await assertLeft(stage.k, staying('dev'), (objects) => about(objects, 'dev'))
    await guest.fails`get clusterversion version`
  })

  it('L29 after its grace period when it has one, of which only the cluster itself is left', async () => {
    const { stage, prod } = at()
    await prod.annotate(`hypershift.openshift.io/destroy-grace-period=${gracePeriod}s`)
    await stage.k.ok`-n ${namespace} delete hc prod --wait=false`
    await prod.waitFor('HostedClusterDestroyed')
    const { reason, message, lastTransitionTime = '' } = prod.condition('HostedClusterDestroyed') ?? {}
    assert.deepEqual([reason, message], ['WaitingForGracePeriod', `Grace period set: ${gracePeriod}s`])
    const left = about(await inventory(stage.k), 'prod')
    const cluster = left.find((object) => object.startsWith('HostedCluster ')) ?? ''
    assert.match(cluster, /^HostedCluster clusters\/prod .*hypershift\.openshift\.io\/finalizer/)
    assert.deepEqual(
      left.filter((object) => object !== cluster && !object.startsWith('Secret ')),
      [],
    )
    await prod.until('to go', () => prod.object === undefined)
    assert.ok(Date.now() - (parseTime(lastTransitionTime) ?? 0) >= gracePeriod * 1000, 'it stayed for its grace period')
  })

  it('and then everything is as it was before', async () => {
    const { stage, before } = at()
    await assertLeft(stage.k, [...before, ...staying('dev'), ...staying('prod')].toSorted())
  })
}
