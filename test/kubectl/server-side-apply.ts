import assert from 'node:assert/strict'
import { paths, type Check } from './check.ts'
import { files, manifest, nodePool } from './manifests.ts'

interface ManagedFields {
  readonly metadata: {
    readonly managedFields: readonly { readonly manager: string; readonly operation: string; readonly fieldsV1: object }[]
  }
}

const applied = 'nodepool.hypershift.openshift.io/workers serverside-applied\n'
const five = manifest(files.nodePool, { spec: { replicas: 5 } })

/** Apply as the server computes it: who owns which field, and who may not change it. */
export const serverSideApply: readonly Check[] = [
  {
    title: 'apply --server-side creates, and a second time changes nothing',
    async run(scene) {
      assert.equal(await scene.k.ok`apply --server-side -f ${files.nodePool}`, applied)
      const before = await scene.k.object`get np workers -o json`
      assert.equal(await scene.k.ok`apply --server-side -f ${files.nodePool}`, applied)
      assert.equal((await scene.k.object`get np workers -o json`).metadata.resourceVersion, before.metadata.resourceVersion)
      const { metadata } = (await scene.api.get(`${paths.nodePools(scene)}/workers`)) as unknown as ManagedFields
      assert.deepEqual(
        metadata.managedFields.map(({ manager, operation }) => [manager, operation]),
        [['kubectl', 'Apply']],
      )
    },
  },
  {
    title: 'apply --server-side reports a field that another applier owns, and takes it when forced',
    async run({ k }) {
      await k.ok`apply --server-side --field-manager=team-a -f ${files.nodePool}`
      assert.match(
        await k.with({ input: five }).fails`apply --server-side --field-manager=team-b -f -`,
        /^(E.*\n)?error: Apply failed with 1 conflict: conflict with "team-a": \.spec\.replicas\n/,
      )
      assert.equal((await k.object`get np workers -o json`).spec['replicas'], 3)
      assert.equal(await k.with({ input: five }).ok`apply --server-side --field-manager=team-b --force-conflicts -f -`, applied)
      assert.equal((await k.object`get np workers -o json`).spec['replicas'], 5)
      assert.match(
        await k.fails`apply --server-side --field-manager=team-a -f ${files.nodePool}`,
        /conflict with "team-b": \.spec\.replicas\n/,
      )
    },
  },
  {
    title: 'apply --server-side reports a field that somebody wrote by hand',
    async run(scene) {
      await nodePool(scene)
      await scene.k.ok`patch np workers --type=merge --field-manager=hand -p ${{ spec: { replicas: 4 } }}`
      assert.match(
        await scene.k.fails`apply --server-side -f ${files.nodePool}`,
        /error: Apply failed with 1 conflict: conflict with "hand" using hypershift\.openshift\.io\/v1beta1: \.spec\.replicas\n/,
      )
    },
  },
  {
    title: 'apply --server-side lists several conflicts',
    async run({ k }) {
      await k.ok`apply --server-side --field-manager=team-a -f ${files.nodePool}`
      const input = manifest(files.nodePool, {
        spec: { replicas: 5, clusterName: 'prod', release: { image: 'example.com/ocp/release:4.20.0-x86_64' } },
      })
      assert.match(
        await k.with({ input }).fails`apply --server-side --field-manager=team-b -f -`,
        /error: Apply failed with 2 conflicts: conflicts with "team-a":\n- \.spec\.replicas\n- \.spec\.release\.image\n/,
      )
    },
  },
  {
    title: 'apply --server-side removes what its manager no longer lists',
    async run({ k }) {
      await k.with({ input: manifest(files.nodePool, { metadata: { labels: { zone: 'a', old: 'yes' } } }) }).ok`apply --server-side -f -`
      await k.ok`apply --server-side -f ${files.nodePool}`
      assert.deepEqual((await k.object`get np workers -o json`).metadata.labels, { zone: 'a' })
    },
  },
  {
    title: 'apply --server-side merges containers of a Deployment by name',
    async run({ k }) {
      assert.equal(await k.ok`apply --server-side -f ${files.deployment}`, 'deployment.apps/web serverside-applied\n')
      const sidecar = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { template: { spec: { containers: [{ name: 'logger', image: 'example.com/logger:1' }] } } },
      }
      const more = k.with({ input: JSON.stringify(sidecar) })
      // A client that checks required fields by itself would refuse a part of a Deployment.
      await more.ok`apply --server-side --field-manager=logging --validate=false -f -`
      assert.equal(await k.ok`get deployment web -o ${'jsonpath={.spec.template.spec.containers[*].name}'}`, 'server sidecar logger')
    },
  },
  {
    title: 'diff --server-side shows what it would change',
    async run({ k }) {
      await k.ok`apply --server-side -f ${files.nodePool}`
      assert.equal((await k.run`diff --server-side -f ${files.nodePool}`).status, 0)
      const { status, stdout } = await k.with({ input: five }).run`diff --server-side -f -`
      assert.equal(status, 1)
      assert.match(stdout, /^\+ {2}replicas: 5$/m)
      assert.equal((await k.object`get np workers -o json`).spec['replicas'], 3)
    },
  },
  {
    title: 'apply --server-side takes over what apply without it had written',
    since: 26,
    async run({ k }) {
      await k.ok`apply -f ${files.nodePool}`
      assert.equal(await k.with({ input: five }).ok`apply --server-side -f -`, applied)
      assert.equal((await k.object`get np workers -o json`).spec['replicas'], 5)
    },
  },
]
