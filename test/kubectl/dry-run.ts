import assert from 'node:assert/strict'
import type { Check } from './check.ts'
import { deployment, files, manifest, nodePool } from './manifests.ts'

const name = 'nodepool.hypershift.openshift.io/workers'

/** Everything but the storing: defaults, validation and answers as in earnest. */
export const dryRun: readonly Check[] = [
  {
    title: 'create and apply with --dry-run=server fill in defaults and store nothing',
    async run({ k }) {
      assert.equal(await k.ok`create --dry-run=server -f ${files.nodePool}`, `${name} created (server dry run)\n`)
      assert.equal(await k.ok`apply --dry-run=server -f ${files.nodePool}`, `${name} created (server dry run)\n`)
      assert.equal(await k.ok`apply --server-side --dry-run=server -f ${files.nodePool}`, `${name} serverside-applied (server dry run)\n`)
      const made = await k.object`create --dry-run=server -f ${files.nodePool} -o json`
      assert.equal(made.spec['arch'], 'amd64')
      assert.match(made.metadata.uid, /^[\da-f-]{36}$/)
      assert.equal(
        await k.ok`create deployment web --image=example.com/web:1 --dry-run=server`,
        'deployment.apps/web created (server dry run)\n',
      )
      assert.equal(await k.ok`create namespace dry --dry-run=server`, 'namespace/dry created (server dry run)\n')
      assert.equal(await k.ok`get np,deployments -o name`, '')
      assert.match(await k.fails`get namespace dry`, /not found/)
    },
  },
  {
    title: 'changes with --dry-run=server change nothing',
    async run(scene) {
      const { k } = scene
      await nodePool(scene)
      await deployment(scene)
      const before = [await k.ok`get np workers -o json`, await k.ok`get deployment web -o json`]
      // Not every version of every command says that it was a dry run.
      assert.match(await k.ok`patch np workers --type=merge -p ${{ spec: { replicas: 4 } }} --dry-run=server`, / patched( \(.*\))?\n$/)
      assert.match(await k.ok`label np workers x=y --dry-run=server`, / labeled( \(.*\))?\n$/)
      assert.match(await k.ok`annotate deployment web x=y --dry-run=server`, / annotated?( \(.*\))?\n$/)
      assert.match(await k.ok`scale np workers --replicas=9 --dry-run=server`, / scaled( \(.*\))?\n$/)
      assert.match(await k.ok`set image deployment/web server=example.com/web:2 --dry-run=server`, / image updated( \(.*\))?\n$/)
      assert.match(
        await k.with({ input: manifest(files.nodePool, { spec: { replicas: 5 } }) }).ok`replace --dry-run=server -f -`,
        / replaced \(server dry run\)\n$/,
      )
      assert.match(await k.ok`delete np workers --dry-run=server`, /deleted.* \(server dry run\)/)
      assert.deepEqual([await k.ok`get np workers -o json`, await k.ok`get deployment web -o json`], before)
    },
  },
  {
    title: '--dry-run=server refuses what would be refused in earnest',
    async run({ k }) {
      assert.match(
        await k.with({ input: manifest(files.nodePool, { spec: { arch: 'vax' } }) }).fails`create --dry-run=server -f -`,
        /^\* spec\.arch: Unsupported value: "vax"/m,
      )
    },
  },
]
