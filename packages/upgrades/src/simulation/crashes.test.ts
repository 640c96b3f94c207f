import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersion, machineApi, UpgradeConfig } from '@windlass/api'
import type { Invariant, Write } from '@windlass/kube/simulation'
import { historyOf, stepConditions } from '../upgrade-config/index.ts'
import { isByOperator } from './invariants.ts'
import { at, type Scene, stage, usualConfig } from './stage.ts'

const toldToOcm = [
  'started',
  'Cluster is starting with control and worker plane upgrade',
  'Cluster has finished control plane upgrade',
  'Cluster has finished with worker plane upgrade',
  'completed',
]

/** What a write was for: enough to tell the writes of one step from those of another. */
function nameOf(write: Write): string {
  const upgradeConfig = write.as(UpgradeConfig)
  if (upgradeConfig === undefined) return `${write.verb} ${write.key}`
  const [entry] = historyOf(upgradeConfig)
  const [newest] = entry?.conditions ?? []
  const { annotations = {} } = upgradeConfig.metadata
  return JSON.stringify([entry?.phase, newest?.type, newest?.status, newest?.message, annotations])
}

interface Deaths {
  readonly moments: Set<string>
  readonly watching: Invariant
  readonly begin: (scene: Scene) => void
}

/** Kills the operator the first time that it has done something, whatever it is: after each kind of write, before and after each call that has an effect. */
function deaths(): Deaths {
  const moments = new Set<string>()
  let scene: Scene | undefined
  const dieOnce = (moment: string): void => {
    if (scene === undefined || moments.has(moment)) return
    moments.add(moment)
    scene.world.processes.get('operator-1')?.crash()
  }
  return {
    moments,
    watching: {
      name: 'the operator is killed after each write',
      holds: (write) => {
        if (isByOperator(write) && !write.key.includes('/events/')) dieOnce(nameOf(write))
        return true
      },
    },
    begin(begun) {
      scene = begun
      begun.outside.onCall = ({ service, what, moment }) => {
        const hasEffect = service === 'ocm' ? /^(set|log) /.test(what) : service === 'alertmanager' && what !== 'list'
        if (hasEffect) dieOnce(`${moment} ${what}`)
      }
    },
  }
}

describe('an operator that is killed in every step, and restarted', () => {
  for (const type of ['OSD', 'ARO'] as const) {
    it(`${type}: neither repeats nor loses anything`, async () => {
      const { moments, watching, begin } = deaths()
      const { writes, exits } = await stage(
        async (scene) => {
          const { outside, world } = scene
          begin(scene)
          await scene.configure(usualConfig.replace('upgradeType: OSD', `upgradeType: ${type}`))
          outside.ocm.schedule({ id: 'p1', version: '4.18.16', next_run: at(10) })
          await scene.inPhase('Upgraded', '20h')
          const osdOnly = ['IsClusterUpgradable', 'PostUpgradeTasksCompleted']
          const wanted = stepConditions.filter((step) => type === 'OSD' || !osdOnly.includes(step))
          assert.deepEqual(
            scene.conditions(),
            wanted.map((step) => `${step} True`),
          )
          assert.deepEqual(
            outside.ocm.told.map(({ what }) => what),
            toldToOcm,
          )
          const comments = outside.alertmanager.list().map(({ comment }) => comment)
          assert.deepEqual(comments, [...new Set(comments)])
          assert.deepEqual([outside.alertmanager.live, scene.extras()], [[], []])
          await world.until(() => scene.upgradeConfig() === undefined, { within: '2h' })
        },
        { invariants: [watching], speed: 4 },
      )
      assert.equal(writes.filter((write) => write.isOf(machineApi.MachineSet) && write.verb === 'create').length, 3)
      const commences = writes.filter(
        (write) =>
          isByOperator(write) &&
          write.as(ClusterVersion)?.spec.desiredUpdate?.version !== write.was(ClusterVersion)?.spec.desiredUpdate?.version,
      )
      assert.equal(commences.length, 1)
      // In each step at least once: each leaves a condition behind when it begins and when it is done.
      assert.ok((exits['operator-1']?.length ?? 0) >= 40, `it died ${exits['operator-1']?.length ?? 0} times`)
      assert.equal(exits['operator-1']?.length, moments.size)
    })
  }
})
