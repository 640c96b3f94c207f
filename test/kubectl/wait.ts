import assert from 'node:assert/strict'
import { paths, type Check } from './check.ts'
import { condition, nodePool, nodePoolStatus } from './manifests.ts'

const met = 'nodepool.hypershift.openshift.io/workers condition met\n'

/** A wait has begun when it watches: its log says so. */
const isWatching = /nodepools\?[^ ]*watch=true/

/** Waiting for something that is true already, that becomes true, that never does. */
export const wait: readonly Check[] = [
  {
    title: 'wait --for=condition returns at once when it is met, and when it comes to be',
    async run(scene) {
      await nodePool(scene)
      const waiting = scene.k.start`wait --for=condition=Ready np/workers --timeout=20s -v=6`
      await waiting.prints(isWatching)
      await nodePoolStatus(scene, { conditions: [condition('Ready', 'False')] })
      await nodePoolStatus(scene, { conditions: [condition('Ready', 'True')] })
      const { status, stdout } = await waiting.ended
      assert.deepEqual([status, stdout], [0, met])
      assert.equal(await scene.k.ok`wait --for=condition=Ready np/workers --timeout=20s`, met)
      assert.equal(await scene.k.ok`wait --for=condition=ready=true np --all --timeout=20s`, met)
    },
  },
  {
    title: 'wait gives up after its timeout',
    async run(scene) {
      await nodePool(scene)
      assert.match(
        await scene.k.fails`wait --for=condition=Ready np/workers --timeout=1s`,
        /timed out waiting for the condition on nodepools\/workers\n$/,
      )
      assert.match(
        await scene.k.fails`wait --for=condition=Ready np/nope --timeout=1s`,
        /nodepools\.hypershift\.openshift\.io "nope" not found\n$/,
      )
    },
  },
  {
    title: 'wait --for=delete returns when the object is gone',
    async run(scene) {
      await nodePool(scene)
      const waiting = scene.k.start`wait --for=delete np/workers --timeout=20s -v=6`
      await waiting.prints(isWatching)
      await scene.api.remove(`${paths.nodePools(scene)}/workers`)
      const { status, stdout } = await waiting.ended
      assert.deepEqual([status, stdout], [0, met])
    },
  },
  {
    title: 'wait --for=jsonpath returns when a field has the value',
    since: 23,
    async run(scene) {
      await nodePool(scene)
      const waiting = scene.k.start`wait --for=${'jsonpath={.status.version}=4.19.6'} np/workers --timeout=20s -v=6`
      await waiting.prints(isWatching)
      await nodePoolStatus(scene, { version: '4.19.6' })
      const { status, stdout } = await waiting.ended
      assert.deepEqual([status, stdout], [0, met])
    },
  },
  {
    title: 'wait --for=create returns when the object is there',
    since: 31,
    async run(scene) {
      const waiting = scene.k.start`wait --for=create np/workers --timeout=20s -v=6`
      await waiting.prints(/nodepools/)
      await nodePool(scene)
      const { status, stdout } = await waiting.ended
      assert.deepEqual([status, stdout], [0, met])
    },
  },
]
