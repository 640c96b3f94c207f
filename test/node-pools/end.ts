import assert from 'node:assert/strict'
import { it } from 'node:test'
import { homeOf, namespace } from '../hosted/cluster.ts'
import { inventory } from '../hosted/inventory.ts'
import type { Scene } from './story.ts'

/** First a pool, then the cluster with the other one. */
export function theEnd(at: () => Scene): void {
  it('NP-64 goes without a trace when it is deleted, and its Secrets after its machines', async () => {
    const { stage, prod, metal } = at()
    const began = stage.recorder.changes().at(-1)?.revision ?? 0
    await stage.k.ok`-n ${namespace} delete np metal --timeout=28s`
    const left = (await inventory(stage.k)).filter((object) => object.includes(`${homeOf('prod')}/`) && /[/-]metal(?![^- ])/.test(object))
    assert.deepEqual(left, [])
    const gone = stage.recorder
      .changes()
      .filter(({ revision, type, key }) => revision > began && type === 'deleted' && /metal/.test(key))
      .map(({ key }) => key.replace(/^.*?\/(machines|secrets|nodepools)\/.*$/, '$1'))
    assert.ok(gone.lastIndexOf('machines') < gone.indexOf('secrets'), gone.join())
    assert.equal(gone.at(-1), 'nodepools')
    assert.deepEqual(metal.machines, [])
    const guest = await prod.kubectlOfGuest()
    assert.equal(await guest.ok`get nodes -l hypershift.openshift.io/nodePool=metal -o name`, '')
  })

  it('goes with its cluster, machines first', async () => {
    const { stage, workers } = at()
    await stage.k.ok`-n ${namespace} delete hc prod --timeout=28s`
    await workers.until('to be gone', () => workers.object === undefined && workers.machines.length === 0)
    const left = (await inventory(stage.k)).filter((object) => object.includes(homeOf('prod')))
    assert.deepEqual(left, [])
  })
}
