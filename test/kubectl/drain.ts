import assert from 'node:assert/strict'
import { table } from '../support/kubectl.ts'
import { until } from '../support/until.ts'
import { paths, type Check, type Scene } from './check.ts'

/** A node of the scene's own: nodes are shared by all namespaces. */
async function node(scene: Scene): Promise<string> {
  const name = `node-${scene.namespace}`
  await scene.api.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } })
  await scene.api.merge(`/api/v1/nodes/${name}/status`, {
    status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }] },
  })
  return name
}

/** A pod that runs there. */
async function pod(scene: Scene, nodeName: string, name: string, metadata: object = {}): Promise<void> {
  await scene.api.create(paths.core(scene, 'pods'), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name }, ...metadata },
    spec: { nodeName, containers: [{ name: 'server', image: 'example.com/web:1' }] },
  })
  await scene.api.merge(`${paths.core(scene, 'pods')}/${name}/status`, {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  })
}

/** A budget for the pods of that name, and what the disruption controller says about it. */
async function budget(scene: Scene, name: string): Promise<string> {
  const path = `/apis/policy/v1/namespaces/${scene.namespace}/poddisruptionbudgets`
  await scene.api.create(path, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { minAvailable: 1, selector: { matchLabels: { app: name } } },
  })
  await allow(scene, `${path}/${name}`, 0)
  return `${path}/${name}`
}

async function allow(scene: Scene, path: string, disruptionsAllowed: number): Promise<void> {
  await scene.api.merge(`${path}/status`, {
    status: { observedGeneration: 1, disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
  })
}

/** Taking work off a node, as far as disruption budgets allow. */
export const drain: readonly Check[] = [
  {
    title: 'cordon and uncordon mark a node',
    async run(scene) {
      const name = await node(scene)
      assert.equal(await scene.k.ok`cordon ${name}`, `node/${name} cordoned\n`)
      assert.equal(table(await scene.k.ok`get node ${name}`)[0]?.['STATUS'], 'Ready,SchedulingDisabled')
      assert.equal(await scene.k.ok`uncordon ${name}`, `node/${name} uncordoned\n`)
      assert.equal(table(await scene.k.ok`get node ${name}`)[0]?.['STATUS'], 'Ready')
      assert.equal(await scene.k.ok`taint node ${name} upgrade=now:NoSchedule`, `node/${name} tainted\n`)
      assert.deepEqual((await scene.k.object`get node ${name} -o json`).spec['taints'], [
        { key: 'upgrade', value: 'now', effect: 'NoSchedule' },
      ])
    },
  },
  {
    title: 'describe node lists the pods that run there',
    async run(scene) {
      const name = await node(scene)
      await pod(scene, name, 'web')
      assert.match(
        await scene.k.ok`describe node ${name}`,
        new RegExp(`^Non-terminated Pods: +\\(1 in total\\)\n[^]*^ +${scene.namespace} +web `, 'm'),
      )
    },
  },
  {
    title: 'drain refuses pods that nothing would replace, unless forced',
    async run(scene) {
      const name = await node(scene)
      await pod(scene, name, 'lonely')
      assert.match(
        await scene.k.fails`drain ${name} --timeout=5s`,
        /cannot delete .*(declare no controller|not managed by) .*\(use --force to override\)/,
      )
      assert.equal((await scene.k.object`get pod lonely -o json`).metadata.deletionTimestamp, undefined)
      assert.match(
        await scene.k.ok`drain ${name} --force --grace-period=0 --timeout=20s`,
        new RegExp(`evicting pod ${scene.namespace}/lonely\n[^]*node/${name} (drained|evicted)\n$`),
      )
      assert.match(await scene.k.fails`get pod lonely`, /not found/)
    },
  },
  {
    title: 'drain waits while a disruption budget forbids an eviction, and goes on when it allows it',
    async run(scene) {
      const name = await node(scene)
      await pod(scene, name, 'free')
      await pod(scene, name, 'guarded')
      const guard = await budget(scene, 'guarded')
      const draining = scene.k.start`drain ${name} --force --grace-period=0 --timeout=25s`
      await draining.prints(
        /error when evicting pods?\/?"guarded" .*\(will retry after 5s\): Cannot evict pod as it would violate the pod's disruption budget\./,
      )
      assert.equal((await scene.k.object`get pod guarded -o json`).metadata.deletionTimestamp, undefined)
      await allow(scene, guard, 1)
      const { status, stderr } = await draining.ended
      assert.equal(status, 0, stderr)
      assert.equal(await scene.k.ok`get pods -o name`, '')
      assert.equal((await scene.k.object`get pdb guarded -o json`).status['disruptionsAllowed'], 0)
      assert.equal((await scene.k.object`get node ${name} -o json`).spec['unschedulable'], true)
    },
  },
  {
    title: 'drain waits until the kubelet has ended its pods',
    async run(scene) {
      const name = await node(scene)
      await pod(scene, name, 'web')
      const draining = scene.k.start`drain ${name} --force --timeout=20s`
      await draining.prints(/evicting pod/)
      await until('the eviction of web', async () => {
        const { metadata } = await scene.k.object`get pod web -o json`
        return metadata.deletionTimestamp !== undefined
      })
      assert.equal((await scene.api.send('DELETE', `${paths.core(scene, 'pods')}/web`, { gracePeriodSeconds: 0 })).status, 200)
      const { status, stderr } = await draining.ended
      assert.equal(status, 0, stderr)
    },
  },
]
