import assert from 'node:assert/strict'
import { table } from '../support/kubectl.ts'
import { paths, type Body, type Check, type Scene } from './check.ts'
import { condition, deployment, nodePool, nodePoolStatus } from './manifests.ts'

interface Story {
  readonly reason: string
  readonly type: 'Normal' | 'Warning'
  readonly message: string
  readonly at: string
}

const scaledUp: Story = { reason: 'ScaledUp', type: 'Normal', message: 'from 2 to 3 nodes', at: '2026-01-01T00:00:00Z' }
const unhealthy: Story = { reason: 'Unhealthy', type: 'Warning', message: 'one node is missing', at: '2026-01-01T00:01:00Z' }

/** An event about a NodePool, as a controller's recorder would write it. */
function event(scene: Scene, about: Body, { reason, type, message, at }: Story): Promise<Body> {
  const { name, namespace, uid } = about['metadata'] as Record<string, string>
  return scene.api.create(paths.core(scene, 'events'), {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${reason.toLowerCase()}` },
    involvedObject: { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'NodePool', name, namespace, uid },
    reason,
    type,
    message,
    source: { component: 'nodepool-controller' },
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  })
}

/** What people read when something is wrong. */
export const describe: readonly Check[] = [
  {
    title: 'describe shows a NodePool field by field, with its events',
    async run(scene) {
      const pool = await nodePool(scene)
      await nodePoolStatus(scene, { replicas: 2, conditions: [condition('Ready', 'False', 'one node is missing')] })
      await event(scene, pool, scaledUp)
      await event(scene, await nodePool(scene, { name: 'other' }), unhealthy)
      const text = await scene.k.ok`describe np workers`
      assert.match(text, /^Name: +workers$/m)
      assert.match(text, new RegExp(`^Namespace: +${scene.namespace}$`, 'm'))
      assert.match(text, /^Labels: +zone=a$/m)
      assert.match(text, /^Kind: +NodePool$/m)
      assert.match(text, /^ +Cluster Name: +prod$/m)
      assert.match(text, /^ +Message: +one node is missing$/m)
      assert.match(text, /^ +Normal +ScaledUp +\S+ +nodepool-controller +from 2 to 3 nodes$/m)
      assert.doesNotMatch(text, /Unhealthy/)
    },
  },
  {
    title: 'describe reads what belongs to a Deployment, a Service, a Pod, a Namespace and a ServiceAccount',
    async run(scene) {
      await deployment(scene)
      await scene.k.ok`create service clusterip web --tcp=80:8080`
      await scene.k.ok`run pod --image=example.com/web:1 --restart=Never`
      assert.match(
        await scene.k.ok`describe deployment web`,
        /^Replicas: +2 desired \| 0 updated \| 0 total \| 0 available \| 0 unavailable$/m,
      )
      assert.match(await scene.k.ok`describe service web`, /^Selector: +app=web$/m)
      assert.match(await scene.k.ok`describe pod pod`, /^ +Image: +example\.com\/web:1$/m)
      assert.match(await scene.k.ok`describe namespace ${scene.namespace}`, /^Status: +Active$/m)
      assert.match(await scene.k.ok`describe serviceaccount default`, /^Name: +default$/m)
    },
  },
  {
    title: 'get events prints and selects events',
    async run(scene) {
      const pool = await nodePool(scene)
      await event(scene, pool, scaledUp)
      await event(scene, pool, unhealthy)
      const [row, ...more] = table(await scene.k.ok`get events --field-selector involvedObject.name=workers,type=Warning`)
      assert.deepEqual(more, [])
      assert.match(row?.['LAST SEEN'] ?? '', /^\d+[a-z\d]*$/)
      assert.deepEqual(
        { ...row, 'LAST SEEN': '' },
        { 'LAST SEEN': '', TYPE: 'Warning', REASON: 'Unhealthy', OBJECT: 'nodepool/workers', MESSAGE: 'one node is missing' },
      )
      assert.equal(await scene.k.ok`get events --sort-by=.lastTimestamp -o ${'jsonpath={.items[*].reason}'}`, 'ScaledUp Unhealthy')
      assert.equal(
        await scene.k.ok`get events.events.k8s.io --sort-by=.deprecatedLastTimestamp -o ${'jsonpath={.items[*].note}'}`,
        'from 2 to 3 nodes one node is missing',
      )
    },
  },
  {
    title: 'events shows those of one object',
    since: 26,
    async run(scene) {
      await event(scene, await nodePool(scene), scaledUp)
      await event(scene, await nodePool(scene, { name: 'other' }), unhealthy)
      assert.deepEqual(
        table(await scene.k.ok`events --for=np/workers`).map((row) => row['REASON']),
        ['ScaledUp'],
      )
      assert.deepEqual(
        table(await scene.k.ok`events --types=Warning`).map((row) => row['OBJECT']),
        ['NodePool/other'],
      )
    },
  },
]
