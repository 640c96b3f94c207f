import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths, type Check, type Scene } from './check.ts'
import { deployment, files, manifest, nodePool } from './manifests.ts'

const name = 'nodepool.hypershift.openshift.io/workers'

/** A kubectl whose editor runs this sed script on what it is given. */
function editing({ k, folder }: Scene, script: string): Scene['k'] {
  const editor = join(folder, 'editor.sh')
  writeFileSync(editor, `#!/bin/sh\nexec sed -i '${script}' "$1"\n`, { mode: 0o755 })
  return k.with({ env: { EDITOR: editor } })
}

/** Changing one object at a time. */
export const change: readonly Check[] = [
  {
    title: 'edit saves what the editor leaves',
    async run(scene) {
      await nodePool(scene)
      assert.equal(await editing(scene, 's/replicas: 3/replicas: 4/').ok`edit np workers`, `${name} edited\n`)
      assert.equal((await scene.k.object`get np workers -o json`).spec['replicas'], 4)
    },
  },
  {
    title: 'edit without a change does nothing',
    async run(scene) {
      const { metadata } = (await nodePool(scene)) as { metadata: { resourceVersion: string } }
      const { status, stdout, stderr } = await editing(scene, 's/nothing/else/').run`edit np workers`
      assert.equal(status, 0)
      assert.match(stdout + stderr, /^Edit cancelled, no changes made\.\n$/)
      assert.equal((await scene.k.object`get np workers -o json`).metadata.resourceVersion, metadata.resourceVersion)
    },
  },
  {
    title: 'edit refuses what the server refuses, and saves nothing',
    async run(scene) {
      await nodePool(scene)
      const complaint = await editing(scene, 's/replicas: 3/replicas: -3/').fails`edit np workers`
      assert.match(
        complaint,
        /^error: nodepools\.hypershift\.openshift\.io "workers" is invalid\n[^]*error: Edit cancelled, no valid changes were saved\.\n$/,
      )
      assert.equal((await scene.k.object`get np workers -o json`).spec['replicas'], 3)
    },
  },
  {
    title: 'edit works on a built-in kind',
    async run(scene) {
      await deployment(scene)
      assert.equal(await editing(scene, 's/web:1/web:2/').ok`edit deployment web`, 'deployment.apps/web edited\n')
      assert.equal(
        await scene.k.ok`get deployment web -o ${'jsonpath={.spec.template.spec.containers[*].image}'}`,
        'example.com/web:2 example.com/sidecar:1',
      )
    },
  },
  {
    title: 'patch --type=merge and --type=json change a NodePool, and say when nothing changes',
    async run(scene) {
      await nodePool(scene)
      assert.equal(await scene.k.ok`patch np workers --type=merge -p ${{ spec: { replicas: 4 } }}`, `${name} patched\n`)
      assert.equal(await scene.k.ok`patch np workers --type=merge -p ${{ spec: { replicas: 4 } }}`, `${name} patched (no change)\n`)
      const operations = [
        { op: 'test', path: '/spec/replicas', value: 4 },
        { op: 'replace', path: '/spec/replicas', value: 5 },
        { op: 'remove', path: '/metadata/labels/zone' },
      ]
      assert.equal(await scene.k.ok`patch np workers --type=json -p ${operations}`, `${name} patched\n`)
      const { metadata, spec } = await scene.k.object`get np workers -o json`
      assert.equal(spec['replicas'], 5)
      assert.equal(metadata.labels, undefined)
      assert.match(await scene.k.fails`patch np workers --type=json -p ${operations}`, /^The request is invalid/)
    },
  },
  {
    title: 'patch without a type is strategic: merged by name for a Deployment, refused for a NodePool',
    async run(scene) {
      await deployment(scene)
      await nodePool(scene)
      const containers = [{ name: 'sidecar', image: 'example.com/sidecar:2' }]
      assert.equal(
        await scene.k.ok`patch deployment web -p ${{ spec: { template: { spec: { containers } } } }}`,
        'deployment.apps/web patched\n',
      )
      assert.equal(
        await scene.k.ok`get deployment web -o ${'jsonpath={.spec.template.spec.containers[*].image}'}`,
        'example.com/web:1 example.com/sidecar:2',
      )
      const removal = [{ $patch: 'delete', name: 'sidecar' }]
      await scene.k.ok`patch deployment web --type=strategic -p ${{ spec: { template: { spec: { containers: removal } } } }}`
      assert.equal(await scene.k.ok`get deployment web -o ${'jsonpath={.spec.template.spec.containers[*].name}'}`, 'server')
      assert.match(
        await scene.k.fails`patch np workers -p ${{ spec: { replicas: 4 } }}`,
        /the body of the request was in an unknown format - accepted media types include: application\/json-patch\+json, application\/merge-patch\+json, application\/apply-patch\+yaml/,
      )
    },
  },
  {
    title: 'patch --subresource=status changes the status alone',
    since: 24,
    async run(scene) {
      await nodePool(scene)
      assert.equal(
        await scene.k.ok`patch np workers --subresource=status --type=merge -p ${{ status: { replicas: 2 }, spec: { replicas: 9 } }}`,
        `${name} patched\n`,
      )
      const { metadata, spec, status } = await scene.k.object`get np workers -o json`
      assert.deepEqual([metadata.generation, spec['replicas'], status['replicas']], [1, 3, 2])
    },
  },
  {
    title: 'replace writes the whole object, and refuses an old one',
    async run(scene) {
      await nodePool(scene)
      const current = await scene.k.object`get np workers -o json`
      const input = JSON.stringify({ ...current, spec: { ...current.spec, replicas: 4 } })
      assert.equal(await scene.k.with({ input }).ok`replace -f -`, `${name} replaced\n`)
      assert.equal((await scene.k.object`get np workers -o json`).spec['replicas'], 4)
      assert.match(
        await scene.k.with({ input }).fails`replace -f -`,
        /^Error from server \(Conflict\): error when replacing "STDIN": Operation cannot be fulfilled on nodepools\.hypershift\.openshift\.io "workers": the object has been modified; please apply your changes to the latest version and try again\n$/,
      )
    },
  },
  {
    title: 'replace takes a file without a version, and --force deletes first',
    async run(scene) {
      const { metadata } = (await nodePool(scene)) as { metadata: { uid: string } }
      assert.equal(
        await scene.k.with({ input: manifest(files.nodePool, { spec: { replicas: 4 } }) }).ok`replace -f -`,
        `${name} replaced\n`,
      )
      assert.equal((await scene.k.object`get np workers -o json`).metadata.uid, metadata.uid)
      assert.match(await scene.k.ok`replace --force -f ${files.nodePool}`, /deleted( from \S+ namespace)?\n.* replaced\n$/)
      const replaced = await scene.k.object`get np workers -o json`
      assert.notEqual(replaced.metadata.uid, metadata.uid)
      assert.equal(replaced.spec['replicas'], 3)
      assert.match(
        await scene.k.with({ input: manifest(files.nodePool, { name: 'nope' }) }).fails`replace -f -`,
        /^Error from server \(NotFound\): error when replacing "STDIN": nodepools\.hypershift\.openshift\.io "nope" not found\n$/,
      )
    },
  },
  {
    title: 'label and annotate set, keep and remove, and leave the generation alone',
    async run(scene) {
      await nodePool(scene)
      assert.equal(await scene.k.ok`label np workers tier=gold`, `${name} labeled\n`)
      assert.match(await scene.k.fails`label np workers tier=silver`, /'tier' already has a value \(gold\), and --overwrite is false/)
      assert.equal(await scene.k.ok`label np workers tier=silver --overwrite`, `${name} labeled\n`)
      assert.match(await scene.k.ok`annotate np workers note=${'two words'}`, /^nodepool\.hypershift\.openshift\.io\/workers annotated?\n$/)
      await scene.k.ok`label np --all zone-`
      const { metadata } = await scene.k.object`get np workers -o json`
      assert.deepEqual(metadata.labels, { tier: 'silver' })
      assert.deepEqual(metadata.annotations, { note: 'two words' })
      assert.equal(metadata.generation, 1)
      await scene.k.ok`annotate np workers note-`
      assert.equal((await scene.k.object`get np workers -o json`).metadata.annotations, undefined)
      assert.match(await scene.k.fails`label np workers tier=${'x'.repeat(64)}`, /must be no more than 63 characters/)
    },
  },
  {
    title: 'label and annotate work on built-in kinds',
    async run(scene) {
      assert.equal(await scene.k.ok`label namespace ${scene.namespace} tier=gold`, `namespace/${scene.namespace} labeled\n`)
      assert.match(await scene.k.ok`annotate namespace ${scene.namespace} note=kept`, / annotated?\n$/)
      const { metadata } = await scene.k.object`get namespace ${scene.namespace} -o json`
      assert.deepEqual(metadata.labels, { 'kubernetes.io/metadata.name': scene.namespace, tier: 'gold' })
      assert.deepEqual(metadata.annotations, { note: 'kept' })
    },
  },
  {
    title: 'scale changes a NodePool and a Deployment, and respects the expected number',
    async run(scene) {
      await nodePool(scene)
      await deployment(scene)
      assert.equal(await scene.k.ok`scale np workers --replicas=4`, `${name} scaled\n`)
      assert.equal(await scene.k.ok`scale deployment web --replicas=0`, 'deployment.apps/web scaled\n')
      assert.equal((await scene.k.object`get np workers -o json`).spec['replicas'], 4)
      assert.equal((await scene.k.object`get deployment web -o json`).spec['replicas'], 0)
      assert.match(await scene.k.fails`scale np workers --current-replicas=3 --replicas=5`, /Expected replicas to be 3, was 4/)
      assert.equal(await scene.k.ok`scale np workers --current-replicas=4 --replicas=5`, `${name} scaled\n`)
      assert.equal(((await scene.api.get(`${paths.nodePools(scene)}/workers`)) as { spec: { replicas: number } }).spec.replicas, 5)
    },
  },
  {
    title: 'set image changes the containers of a Deployment',
    async run(scene) {
      await deployment(scene)
      assert.equal(await scene.k.ok`set image deployment/web server=example.com/web:2`, 'deployment.apps/web image updated\n')
      assert.equal(
        await scene.k.ok`get deployment web -o ${'jsonpath={.spec.template.spec.containers[*].image}'}`,
        'example.com/web:2 example.com/sidecar:1',
      )
    },
  },
]
