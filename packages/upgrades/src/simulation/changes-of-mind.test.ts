import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersion, UpgradeConfig } from '@windlass/api'
import { aReleaseDigest } from '@windlass/api/fixtures'
import type { Service } from '../testing/outside/index.ts'
import { historyOf } from '../upgrade-config/index.ts'
import { isByOperator } from './invariants.ts'
import { at, configRef, type Scene, type Script, stage, usualConfig } from './stage.ts'

const story = (script: Script) => stage(script, { speed: 8 })

const minutes = 60_000
const nobody = 'configManager: {}\n'
const policy = { id: 'p1', version: '4.18.16', next_run: at(10) }
const told = ({ outside }: Scene): readonly string[] => outside.ocm.told.map(({ what }) => what)
const desiredUpdate = ({ world }: Scene) => world.state.get(ClusterVersion, { name: 'version' })?.spec.desiredUpdate

/** The next call of this kind takes five minutes, in which people do as they like; resolves when it is under way. */
function holdUp({ outside }: Scene, service: Service, kind: RegExp): Promise<void> {
  return new Promise((resolve) => {
    outside.mishap = (called, what) => {
      if (called !== service || !kind.test(what)) return {}
      outside.mishap = undefined
      resolve()
      return { delay: 5 * minutes }
    }
  })
}

describe('an upgrade that people change their minds about while a pass is at work', () => {
  it('is not prepared, silenced or commenced once its UpgradeConfig is gone', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      await scene.configure(`${nobody}extDependencyAvailabilityChecks: { http: { urls: ['https://mirror.example.com'] } }\n`)
      const beforeMachines = holdUp(scene, 'dependencies', /check/)
      await scene.ask({ upgradeAt: at(1) })
      await beforeMachines
      await world.client.delete(UpgradeConfig, configRef)
      await world.sleep('10m')
      assert.deepEqual(scene.extras(), [])

      await scene.ask({ upgradeAt: at(20), capacityReservation: false })
      await scene.inPhase('Upgrading', '20m')
      const beforeSilence = holdUp(scene, 'alertmanager', /list/)
      await beforeSilence
      await world.client.delete(UpgradeConfig, configRef)
      await world.sleep('10m')
      assert.deepEqual([outside.alertmanager.list(), desiredUpdate(scene)], [[], undefined])
    })
  })

  it('is not commenced when its policy is withdrawn while its start is announced', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      await scene.configure(usualConfig.replace('watchInterval: 15', 'watchInterval: 1'))
      outside.ocm.schedule(policy)
      await holdUp(scene, 'ocm', /^log Cluster is starting/)
      outside.ocm.cancel('p1')
      await world.until(() => scene.upgradeConfig() === undefined, { within: '4m' })
      await world.sleep('20m')
      assert.deepEqual([outside.alertmanager.live, scene.extras(), desiredUpdate(scene)], [[], [], undefined])
      assert.deepEqual(told(scene), ['started', 'Cluster is starting with control and worker plane upgrade'])
    })
  })

  it('goes to the version that is desired by the time it commences', async () => {
    const { writes } = await story(async (scene) => {
      await scene.configure(nobody)
      const beforeSilence = holdUp(scene, 'alertmanager', /list/)
      await scene.ask({ capacityReservation: false })
      await beforeSilence
      await scene.edit({ desired: { version: '4.18.17' } })
      await scene.inPhase('Upgraded')
      const history = historyOf(scene.upgradeConfig() ?? assert.fail())
      assert.deepEqual(
        history.map(({ version = '', phase }) => `${version} ${phase}`),
        ['4.18.17 Upgraded', '4.18.16 Upgrading'],
      )
      assert.ok(scene.outside.alertmanager.list().every(({ comment }) => comment.includes('4.18.17')))
    })
    const versions = writes.flatMap((write) => (isByOperator(write) ? [write.as(ClusterVersion)?.spec.desiredUpdate?.version] : []))
    assert.deepEqual(
      [...new Set(versions)].filter((version) => version !== undefined),
      ['4.18.17'],
    )
  })

  it('V11 goes on in the same pass when it was the operator itself that wrote the version of its image into the spec', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      const image = aReleaseDigest('4.18.16')
      outside.images.set(image, '4.18.16')
      await scene.configure(nobody)
      await scene.ask({ desired: { image }, capacityReservation: false, upgradeAt: at(-60) })
      await world.until(() => desiredUpdate(scene)?.image === image, { within: '3m' })
      const history = historyOf(scene.upgradeConfig() ?? assert.fail())
      assert.deepEqual(
        history.map(({ version = '', phase }) => `${version} ${phase}`),
        ['4.18.16 Upgrading'],
      )
    })
  })

  it('R18 keeps what somebody else wrote during a pass, and tells nothing twice because of it', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      outside.ocm.schedule(policy)
      await holdUp(scene, 'prometheus', /^ALERTS/)
      const entry = scene.entry() ?? assert.fail()
      assert.deepEqual([entry.phase, entry.conditions, told(scene)], ['Upgrading', [], ['started']])
      const history = [{ ...entry, workerStartTime: at(11) }]
      await world.client.patchStatus(UpgradeConfig, configRef, { status: { history } })
      await world.until(() => (scene.entry()?.conditions?.length ?? 0) > 0, { within: '10m' })
      assert.equal(scene.entry()?.workerStartTime, at(11))
      await world.sleep('5m')
      assert.deepEqual(
        told(scene).filter((what) => what === 'started'),
        ['started'],
      )
    })
  })

  it('O05 is replaced when OCM moves it before its start, once the old UpgradeConfig is gone', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      await scene.configure(usualConfig.replace('watchInterval: 15', 'watchInterval: 1'))
      outside.ocm.schedule(policy)
      await scene.inPhase('Pending', '3m')
      const old = scene.upgradeConfig()?.metadata.uid
      await world.client.patch(UpgradeConfig, configRef, { metadata: { finalizers: ['example.com/held'] } })
      outside.ocm.schedule({ ...policy, next_run: at(60) })
      await world.until(() => scene.upgradeConfig()?.metadata.deletionTimestamp !== undefined, { within: '3m', every: '1s' })
      await world.sleep('20s')
      assert.equal(scene.upgradeConfig()?.metadata.uid, old)
      await world.client.patch(UpgradeConfig, configRef, { metadata: { finalizers: null } })
      await world.until(() => scene.upgradeConfig()?.spec.upgradeAt === at(60), { within: '10s', every: '1s' })
      assert.notEqual(scene.upgradeConfig()?.metadata.uid, old)
    })
  })

  it('takes back what was done for it when OCM moves it before it has commenced', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      await scene.configure(usualConfig.replace('watchInterval: 15', 'watchInterval: 1'))
      outside.firing = []
      outside.ocm.schedule(policy)
      await world.until(() => scene.extras().length === 3, { within: '20m' })
      outside.ocm.schedule({ ...policy, next_run: at(600) })
      await world.until(() => scene.upgradeConfig()?.spec.upgradeAt === at(600), { within: '5m' })
      await world.until(() => scene.extras().length === 0, { within: '1m' })
      assert.deepEqual([outside.alertmanager.live, desiredUpdate(scene)], [[], undefined])
    })
  })
})
