import assert from 'node:assert/strict'
import { table } from '../support/kubectl.ts'
import type { Check } from './check.ts'
import { files, manifest } from './manifests.ts'

/** Namespaces as containers: making them, using them, emptying them. */
export const namespaces: readonly Check[] = [
  {
    title: 'create namespace makes one with its label and its service account',
    async run({ k }) {
      assert.equal(await k.ok`create namespace made`, 'namespace/made created\n')
      const { metadata, status } = await k.object`get namespace made -o json`
      assert.deepEqual(metadata.labels, { 'kubernetes.io/metadata.name': 'made' })
      assert.equal(status['phase'], 'Active')
      assert.match(await k.fails`create namespace made`, /^Error from server \(AlreadyExists\): namespaces "made" already exists\n$/)
      await k.ok`delete namespace made`
    },
  },
  {
    title: 'delete namespace empties it first, and waits for what has finalizers',
    async run({ k }) {
      await k.ok`create namespace doomed`
      await k.ok`-n doomed create configmap settings --from-literal=a=1`
      await k.ok`-n doomed create deployment web --image=example.com/web:1`
      await k.ok`-n doomed create -f ${files.hostedCluster}`
      await k.with({ input: manifest(files.nodePool, { metadata: { finalizers: ['windlass.dev/test'] } }) }).ok`-n doomed create -f -`
      const deleting = k.start`delete namespace doomed`
      await deleting.prints(/^namespace "doomed" deleted/m)
      assert.equal(table(await k.ok`get namespace doomed`)[0]?.['STATUS'], 'Terminating')
      assert.match(
        await k.fails`-n doomed create configmap late`,
        /configmaps "late" is forbidden: unable to create new content in namespace doomed because it is being terminated\n$/,
      )
      await k.ok`wait --for=condition=NamespaceFinalizersRemaining namespace/doomed --timeout=20s`
      assert.equal(await k.ok`-n doomed get configmaps,deployments,hc -o name`, '')
      assert.match(
        await k.ok`get namespace doomed -o ${'jsonpath={.status.conditions[?(@.type=="NamespaceFinalizersRemaining")].message}'}`,
        /^Some content in the namespace has finalizers remaining: windlass\.dev\/test in 1 resource instances$/,
      )
      await k.ok`-n doomed patch np workers --type=merge -p ${{ metadata: { finalizers: null } }}`
      assert.equal((await deleting.ended).status, 0)
      assert.equal(await k.fails`get namespace doomed`, 'Error from server (NotFound): namespaces "doomed" not found\n')
    },
  },
  {
    title: 'delete namespace refuses those that the cluster needs',
    async run({ k }) {
      assert.equal(
        await k.fails`delete namespace default`,
        'Error from server (Forbidden): namespaces "default" is forbidden: this namespace may not be deleted\n',
      )
    },
  },
]
