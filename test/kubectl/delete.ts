import assert from 'node:assert/strict'
import { until } from '../support/until.ts'
import { paths, type Check, type Scene } from './check.ts'
import { configMap, files, nodePool } from './manifests.ts'

/** A NodePool and a ConfigMap that belongs to it; with `finalizers` the ConfigMap does not go by itself. */
async function family(scene: Scene, finalizers: readonly string[] = []): Promise<void> {
  const { metadata } = (await nodePool(scene)) as { metadata: { uid: string } }
  const owner = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    name: 'workers',
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
  await configMap(scene, 'child', {}, { ownerReferences: [owner], finalizers })
}

const child = (scene: Scene): string => `${paths.core(scene, 'configmaps')}/child`

/** The collector has deleted the child, which now waits for its finalizer. */
function childIsGoing(scene: Scene): Promise<void> {
  return until('the deletion of the child', async () => {
    const { metadata } = (await scene.api.get(child(scene))) as { metadata: { deletionTimestamp?: string } }
    return metadata.deletionTimestamp !== undefined
  })
}

function childIsGone(scene: Scene): Promise<void> {
  return until('the end of the child', async () => (await scene.api.send('GET', child(scene))).status === 404)
}

/** Deleting, with everything that holds an object back or goes along with it. */
export const deletion: readonly Check[] = [
  {
    title: 'delete by name, by label, by file and all of a kind',
    async run(scene) {
      const { k } = scene
      for (const name of ['a', 'b', 'c', 'd']) await nodePool(scene, { name, metadata: { labels: { pool: name } } })
      await nodePool(scene)
      assert.match(await k.ok`delete np a`, /^nodepool\.hypershift\.openshift\.io "a" deleted/)
      assert.match(await k.ok`delete np -l pool=b`, /"b" deleted/)
      assert.match(await k.ok`delete -f ${files.nodePool}`, /"workers" deleted/)
      assert.match(await k.ok`delete np --all`, /"c" deleted[^]*"d" deleted/)
      assert.equal(await k.ok`get np -o name`, '')
      assert.equal(await k.fails`delete np a`, 'Error from server (NotFound): nodepools.hypershift.openshift.io "a" not found\n')
      assert.equal(await k.ok`delete np a --ignore-not-found`, '')
    },
  },
  {
    title: 'delete waits for finalizers, and returns when the last is gone',
    async run(scene) {
      const { k } = scene
      await nodePool(scene, { metadata: { finalizers: ['windlass.dev/test'] } })
      const deleting = k.start`delete np workers`
      await deleting.prints(/"workers" deleted/)
      const { metadata } = await k.object`get np workers -o json`
      assert.match(metadata.deletionTimestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      assert.equal(metadata.generation, 2)
      assert.match(
        await k.fails`create -f ${files.nodePool}`,
        /^Error from server \(AlreadyExists\): error when creating .*: object is being deleted: nodepools\.hypershift\.openshift\.io "workers" already exists\n$/,
      )
      assert.equal(
        await k.ok`patch np workers --type=json -p ${[{ op: 'remove', path: '/metadata/finalizers' }]}`,
        'nodepool.hypershift.openshift.io/workers patched\n',
      )
      assert.equal((await deleting.ended).status, 0)
      assert.match(await k.fails`get np workers`, /not found/)
    },
  },
  {
    title: 'delete --wait=false does not wait, and --timeout gives up',
    async run(scene) {
      await nodePool(scene, { metadata: { finalizers: ['windlass.dev/test'] } })
      assert.match(await scene.k.ok`delete np workers --wait=false`, /"workers" deleted/)
      assert.match(await scene.k.fails`delete np workers --timeout=1s`, /timed out waiting for the condition on nodepools\/workers\n$/)
      await scene.api.merge(`${paths.nodePools(scene)}/workers`, { metadata: { finalizers: null } })
    },
  },
  {
    title: 'delete takes dependents along in the background',
    async run(scene) {
      await family(scene, ['windlass.dev/test'])
      assert.match(await scene.k.ok`delete np workers --cascade=background`, /"workers" deleted/)
      assert.match(await scene.k.fails`get np workers`, /not found/)
      await childIsGoing(scene)
      await scene.api.merge(child(scene), { metadata: { finalizers: null } })
      await childIsGone(scene)
    },
  },
  {
    title: 'delete --cascade=foreground keeps the owner until its dependents are gone',
    async run(scene) {
      await family(scene, ['windlass.dev/test'])
      const deleting = scene.k.start`delete np workers --cascade=foreground`
      await deleting.prints(/"workers" deleted/)
      const owner = await scene.k.object`get np workers -o json`
      assert.deepEqual(owner.metadata.finalizers, ['foregroundDeletion'])
      await childIsGoing(scene)
      await scene.api.merge(child(scene), { metadata: { finalizers: null } })
      assert.equal((await deleting.ended).status, 0)
      await childIsGone(scene)
      assert.match(await scene.k.fails`get np workers`, /not found/)
    },
  },
  {
    title: 'delete --cascade=orphan leaves dependents without an owner',
    async run(scene) {
      await family(scene)
      assert.match(await scene.k.ok`delete np workers --cascade=orphan`, /"workers" deleted/)
      const { metadata } = await scene.k.object`get configmap child -o json`
      assert.equal(metadata.ownerReferences, undefined)
      assert.equal(metadata.deletionTimestamp, undefined)
    },
  },
  {
    title: 'delete of a Pod with --force ends it at once',
    async run({ k }) {
      await k.ok`run pod --image=example.com/web:1 --restart=Never`
      const { stdout } = await k.run`delete pod pod --force --grace-period=0`
      assert.match(stdout, /^pod "pod" (force )?deleted/)
      assert.match(await k.fails`get pod pod`, /not found/)
    },
  },
]
