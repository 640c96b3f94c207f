import assert from 'node:assert/strict'
import { dump, load } from 'js-yaml'
import { readFileSync } from 'node:fs'
import type { Check } from './check.ts'
import { configMap, deployment, files, manifest, nodePool } from './manifests.ts'

function settings(name: string, data: Readonly<Record<string, string>> = { a: '1' }): string {
  return dump({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'web' } }, data })
}

/** The Deployment of the file with other containers. */
function withContainers(containers: readonly object[]): string {
  return manifest(files.deployment, { spec: { template: { metadata: { labels: { app: 'web' } }, spec: { containers } } } })
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

interface Container {
  readonly name: string
  readonly image: string
}

/** Files as the wish, the server as the truth: apply as kubectl computes it, and diff. */
export const apply: readonly Check[] = [
  {
    title: 'apply creates, changes and leaves alone a NodePool',
    async run({ k }) {
      assert.equal(await k.ok`apply -f ${files.nodePool}`, 'nodepool.hypershift.openshift.io/workers created\n')
      const before = await k.object`get np workers -o json`
      assert.ok(before.metadata.annotations?.[lastApplied]?.includes('"replicas":3'))
      assert.equal(await k.ok`apply -f ${files.nodePool}`, 'nodepool.hypershift.openshift.io/workers unchanged\n')
      assert.equal((await k.object`get np workers -o json`).metadata.resourceVersion, before.metadata.resourceVersion)
      assert.equal(
        await k.with({ input: manifest(files.nodePool, { spec: { replicas: 5 } }) }).ok`apply -f -`,
        'nodepool.hypershift.openshift.io/workers configured\n',
      )
      const after = await k.object`get np workers -o json`
      assert.equal(after.spec['replicas'], 5)
      assert.equal(after.metadata.generation, 2)
    },
  },
  {
    title: 'apply removes from a NodePool what is no longer in the file, and leaves what others set',
    async run({ k }) {
      await k.with({ input: manifest(files.nodePool, { metadata: { labels: { zone: 'a', old: 'yes' } }, spec: { pausedUntil: 'true' } }) })
        .ok`apply -f -`
      await k.ok`label np workers by=hand`
      await k.ok`apply -f ${files.nodePool}`
      const { metadata, spec } = await k.object`get np workers -o json`
      assert.deepEqual(metadata.labels, { zone: 'a', by: 'hand' })
      assert.ok(!('pausedUntil' in spec))
    },
  },
  {
    title: 'apply creates, changes and leaves alone a Deployment, container by container',
    async run({ k }) {
      assert.equal(await k.ok`apply -f ${files.deployment}`, 'deployment.apps/web created\n')
      assert.equal(await k.ok`apply -f ${files.deployment}`, 'deployment.apps/web unchanged\n')
      const [server] = containersOf(load(readFileSync(files.deployment, 'utf8')))
      const changed = withContainers([
        { ...server, image: 'example.com/web:2' },
        { name: 'logger', image: 'example.com/logger:1' },
      ])
      assert.equal(await k.with({ input: changed }).ok`apply -f -`, 'deployment.apps/web configured\n')
      const containers = containersOf(await k.object`get deployment web -o json`)
      assert.deepEqual(
        containers.map(({ name, image }) => [name, image]),
        [
          ['server', 'example.com/web:2'],
          ['logger', 'example.com/logger:1'],
        ],
      )
    },
  },
  {
    title: 'apply of something that was made otherwise warns and takes it over',
    async run(scene) {
      await nodePool(scene, { spec: { replicas: 1 } })
      const { status, stdout, stderr } = await scene.k.run`apply -f ${files.nodePool}`
      assert.equal(status, 0)
      assert.equal(stdout, 'nodepool.hypershift.openshift.io/workers configured\n')
      assert.match(stderr, /^Warning: .*missing the kubectl\.kubernetes\.io\/last-applied-configuration annotation/)
      assert.equal((await scene.k.object`get np workers -o json`).spec['replicas'], 3)
    },
  },
  {
    title: 'apply reads ConfigMaps and Secrets, and view-last-applied shows what was applied',
    async run({ k }) {
      assert.equal(await k.with({ input: settings('settings', { a: '1', b: '2' }) }).ok`apply -f -`, 'configmap/settings created\n')
      assert.equal(await k.with({ input: settings('settings', { a: '3' }) }).ok`apply -f -`, 'configmap/settings configured\n')
      assert.deepEqual((await k.object`get configmap settings -o json`).data, { a: '3' })
      assert.match(await k.ok`apply view-last-applied configmap settings`, /^data:\n {2}a: "3"$/m)
      const secret = dump({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' }, stringData: { token: 'abc' } })
      assert.equal(await k.with({ input: secret }).ok`apply -f -`, 'secret/key created\n')
      assert.equal((await k.object`get secret key -o json`).data['token'], 'YWJj')
    },
  },
  {
    title: 'apply --prune deletes what carries the label and is no longer in the files',
    async run(scene) {
      const { k } = scene
      await k.with({ input: `${settings('a')}---\n${settings('b')}` }).ok`apply -f -`
      await configMap(scene, 'by-hand', {}, { labels: { app: 'web' } })
      const allow = k.minor < 26 ? '--prune-whitelist=core/v1/ConfigMap' : '--prune-allowlist=core/v1/ConfigMap'
      assert.equal(
        await k.with({ input: settings('a') }).ok`apply --prune -l app=web ${allow} -f -`,
        'configmap/a unchanged\nconfigmap/b pruned\n',
      )
      assert.equal(await k.ok`get configmap -l app=web -o name`, 'configmap/a\nconfigmap/by-hand\n')
    },
  },
  {
    title: 'apply refuses a field that the kind does not have',
    async run({ k }) {
      await k.ok`apply -f ${files.nodePool}`
      const complaint = await k.with({ input: manifest(files.nodePool, { spec: { replica: 4 } }) }).fails`apply -f -`
      assert.match(complaint, /unknown field "(spec\.)?replica"/)
      assert.equal((await k.object`get np workers -o json`).metadata.generation, 1)
    },
  },
  {
    title: 'apply -k applies a kustomization',
    async run({ k }) {
      const applied = (await k.ok`apply -k ${files.kustomization}`).trimEnd().split('\n')
      assert.deepEqual(applied, ['configmap/blue-settings created', 'nodepool.hypershift.openshift.io/blue-workers created'])
      assert.equal((await k.object`get configmap blue-settings -o json`).data['channel'], 'stable-4.19')
      assert.match(
        await k.ok`apply -k ${files.kustomization}`,
        /^configmap\/blue-settings unchanged\nnodepool\.hypershift\.openshift\.io\/blue-workers unchanged\n$/,
      )
      assert.match(await k.ok`delete -k ${files.kustomization}`, /"blue-workers" deleted/)
    },
  },
  {
    title: 'diff shows what apply would change, and changes nothing',
    async run({ k }) {
      await k.ok`apply -f ${files.nodePool}`
      assert.deepEqual(await k.run`diff -f ${files.nodePool}`, { status: 0, stdout: '', stderr: '' })
      const { status, stdout } = await k.with({ input: manifest(files.nodePool, { spec: { replicas: 5 } }) }).run`diff -f -`
      assert.equal(status, 1)
      assert.match(stdout, /^- {2}replicas: 3$/m)
      assert.match(stdout, /^\+ {2}replicas: 5$/m)
      assert.match(stdout, /^- {2}generation: 1$/m)
      assert.match(stdout, /^\+ {2}generation: 2$/m)
      assert.equal((await k.object`get np workers -o json`).spec['replicas'], 3)
    },
  },
  {
    title: 'diff of something new shows all of it',
    async run(scene) {
      await deployment(scene, { name: 'other' })
      const { status, stdout } = await scene.k.run`diff -f ${files.deployment}`
      assert.equal(status, 1)
      assert.match(stdout, /^\+ {2}name: web$/m)
      assert.equal(await scene.k.ok`get deployments -o name`, 'deployment.apps/other\n')
    },
  },
]

function containersOf(object: unknown): readonly Container[] {
  return (object as { spec: { template: { spec: { containers: readonly Container[] } } } }).spec.template.spec.containers
}
