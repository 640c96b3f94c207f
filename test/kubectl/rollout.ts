import assert from 'node:assert/strict'
import { paths, type Check, type Scene } from './check.ts'
import { condition, deployment } from './manifests.ts'

/** The part of the Deployment controller. */
async function report(scene: Scene, status: object): Promise<void> {
  await scene.api.merge(`${paths.apps(scene, 'deployments')}/web/status`, { status })
}

/** Rollouts of workloads whose controllers are played by hand. */
export const rollout: readonly Check[] = [
  {
    title: 'rollout status follows a Deployment to its end',
    async run(scene) {
      await deployment(scene)
      const watching = scene.k.start`rollout status deployment/web --timeout=20s`
      await watching.prints(/^Waiting for deployment spec update to be observed\.\.\.$/m)
      await report(scene, { observedGeneration: 1, replicas: 2, updatedReplicas: 1, unavailableReplicas: 2 })
      await watching.prints(/^Waiting for deployment "web" rollout to finish: 1 out of 2 new replicas have been updated\.\.\.$/m)
      await report(scene, { replicas: 2, updatedReplicas: 2, availableReplicas: 1, readyReplicas: 1, unavailableReplicas: 1 })
      await watching.prints(/^Waiting for deployment "web" rollout to finish: 1 of 2 updated replicas are available\.\.\.$/m)
      await report(scene, { availableReplicas: 2, readyReplicas: 2, unavailableReplicas: null })
      const { status, stdout } = await watching.ended
      assert.equal(status, 0)
      assert.match(stdout, /^deployment "web" successfully rolled out\n$/m)
    },
  },
  {
    title: 'rollout status fails when a Deployment exceeds its deadline',
    async run(scene) {
      await deployment(scene)
      const late = { ...condition('Progressing', 'False'), reason: 'ProgressDeadlineExceeded', lastUpdateTime: '2026-01-01T00:00:00Z' }
      await report(scene, { observedGeneration: 1, replicas: 2, updatedReplicas: 1, unavailableReplicas: 2, conditions: [late] })
      assert.match(
        await scene.k.fails`rollout status deployment/web --timeout=20s`,
        /^error: deployment "web" exceeded its progress deadline\n$/,
      )
    },
  },
  {
    title: 'rollout restart, pause and resume change the Deployment',
    async run(scene) {
      const { k } = scene
      await deployment(scene)
      assert.equal(await k.ok`rollout restart deployment/web`, 'deployment.apps/web restarted\n')
      assert.match(
        await k.ok`get deployment web -o ${'jsonpath={.spec.template.metadata.annotations}'}`,
        /kubectl\.kubernetes\.io\/restartedAt/,
      )
      assert.equal(await k.ok`rollout pause deployment/web`, 'deployment.apps/web paused\n')
      assert.equal((await k.object`get deployment web -o json`).spec['paused'], true)
      assert.equal(await k.ok`rollout resume deployment/web`, 'deployment.apps/web resumed\n')
      assert.equal((await k.object`get deployment web -o json`).spec['paused'], undefined)
    },
  },
  {
    title: 'rollout status knows StatefulSets and DaemonSets',
    async run(scene) {
      const template = { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'example.com/db:1' }] } }
      const spec = { selector: { matchLabels: { app: 'db' } }, template }
      await scene.api.create(paths.apps(scene, 'statefulsets'), {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'db' },
        spec: { ...spec, serviceName: 'db', replicas: 1 },
      })
      await scene.api.create(paths.apps(scene, 'daemonsets'), { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'db' }, spec })
      await scene.api.merge(`${paths.apps(scene, 'statefulsets')}/db/status`, {
        status: {
          observedGeneration: 1,
          replicas: 1,
          readyReplicas: 1,
          updatedReplicas: 1,
          currentReplicas: 1,
          currentRevision: 'db-1',
          updateRevision: 'db-1',
        },
      })
      await scene.api.merge(`${paths.apps(scene, 'daemonsets')}/db/status`, {
        status: {
          observedGeneration: 1,
          desiredNumberScheduled: 2,
          currentNumberScheduled: 2,
          updatedNumberScheduled: 2,
          numberAvailable: 2,
          numberReady: 2,
          numberMisscheduled: 0,
        },
      })
      assert.match(
        await scene.k.ok`rollout status statefulset/db --timeout=20s`,
        /^partitioned roll out complete: 1 new pods have been updated\.\.\.\n$/,
      )
      assert.equal(await scene.k.ok`rollout status daemonset/db --timeout=20s`, 'daemon set "db" successfully rolled out\n')
    },
  },
]
