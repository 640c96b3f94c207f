import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterOperator, ClusterVersion } from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { simulate, type World } from '@windlass/kube/simulation'
import { clusterControllers } from '../index.ts'
import { definitions, given, inOrder, lawfulHistory, lawfulProgress, looking, updates, versionName } from '../testing/index.ts'

const cluster = given()

function inCluster(script: (see: ReturnType<typeof looking>, world: World) => Promise<void>): Promise<unknown> {
  return simulate({
    seed: 1,
    definitions,
    given: cluster,
    controllers: () => clusterControllers({ seed: 1, updates }),
    invariants: [inOrder(), lawfulHistory, lawfulProgress],
    async world(world) {
      await world.sleep('1m')
      await script(looking(world), world)
    },
  })
}

describe('a release that is asked for', () => {
  it('T116 while another one is applied ends that one, which stays Partial', async () => {
    await inCluster(async (see, world) => {
      await see.ask({ version: '4.18.16' })
      await world.until(() => see.operatorVersion('etcd') === '4.18.16', { within: '30m' })
      await see.ask({ version: '4.18.17' })
      await world.until(() => see.history().length === 3, { within: '5m' })
      assert.deepEqual(see.history(), ['Partial 4.18.17', 'Partial 4.18.16*', 'Completed 4.18.15*'])
      await world.until(() => see.isCompleted('4.18.17'), { within: '2h' })
      assert.deepEqual(see.history(), ['Completed 4.18.17*', 'Partial 4.18.16*', 'Completed 4.18.15*'])
      assert.equal(see.operatorVersion('etcd'), '4.18.17')
    })
  })

  it('may be the previous one: a rollback is an update of its own', async () => {
    await inCluster(async (see, world) => {
      await see.ask({ version: '4.18.16' })
      await world.until(() => see.operatorVersion('etcd') === '4.18.16', { within: '30m' })
      await see.ask({ image: aReleaseImage('4.18.15') })
      await world.until(() => see.isCompleted('4.18.15'), { within: '2h' })
      assert.deepEqual(see.history(), ['Completed 4.18.15*', 'Partial 4.18.16*', 'Completed 4.18.15*'])
      assert.equal(see.operatorVersion('etcd'), '4.18.15')
    })
  })

  it('is refused when it is older than that, or too far ahead, and force goes past both', async () => {
    await inCluster(async (see, world) => {
      await see.ask({ image: aReleaseImage('4.18.14') })
      await world.until(() => see.says('ReleaseAccepted')?.startsWith('False') === true, { within: '3m' })
      assert.match(
        see.says('ReleaseAccepted') ?? '',
        /^False\|PreconditionChecks\|Preconditions failed for payload loaded version="4.18.14" .+Precondition "ClusterVersionRollback" failed because of "LowDesiredVersion"/,
      )
      await see.ask({ version: '4.20.1', image: null })
      await world.until(() => see.says('ReleaseAccepted')?.includes('ClusterVersionGiantHop') === true, { within: '3m' })
      assert.deepEqual(see.history(), ['Completed 4.18.15*'])
      assert.equal(see.says('Progressing'), 'False||Cluster version is 4.18.15')
      await see.ask({ force: true })
      await world.until(() => see.history()[0] === 'Partial 4.20.1', { within: '3m' })
      assert.match(see.clusterVersion()?.status?.history?.[0]?.acceptedRisks ?? '', /ClusterVersionGiantHop/)
    })
  })

  it('must be on offer when it is named by its version alone', async () => {
    await inCluster(async (see, world) => {
      await see.ask({ version: '4.18.99' })
      await world.sleep('1m')
      assert.equal(see.says('Progressing'), 'True|InvalidClusterVersion|Reconciling 4.18.15: the cluster version is invalid')
      assert.match(see.says('Invalid') ?? '', /^True\|InvalidClusterVersion\|spec.desiredUpdate.version: Invalid value: "4.18.99"/)
      assert.equal(see.says('Failing'), 'False||')
      await see.ask(null)
      await world.sleep('1m')
      assert.equal(see.says('Invalid'), undefined)
      assert.equal(see.says('Progressing'), 'False||Cluster version is 4.18.15')
    })
  })

  it('of the same version with another image is another release', async () => {
    await inCluster(async (see, world) => {
      await see.ask({ version: '4.18.15', image: 'example.com/ocp/release:4.18.15-multi' })
      await world.until(() => see.isCompleted('4.18.15') && see.history().length === 2, { within: '2h' })
      assert.equal(see.clusterVersion()?.status?.desired.image, 'example.com/ocp/release:4.18.15-multi')
    })
  })

  for (const [mode, reason] of [
    ['payload-unavailable', 'RetrievePayload'],
    ['payload-broken', 'LoadPayload'],
    ['payload-unverified', 'VerifyPayloadVersion'],
    ['precondition', 'PreconditionChecks'],
  ] as const) {
    it(`is refused with ${reason} while ${mode} is injected, and accepted when it is not any more`, async () => {
      await inCluster(async (see, world) => {
        await see.fail(ClusterVersion, 'version', mode)
        await see.ask({ version: '4.18.16' })
        await world.until(() => see.says('ReleaseAccepted')?.startsWith(`False|${reason}|`) === true, { within: '3m' })
        await world.sleep('10m')
        assert.deepEqual(see.history(), ['Completed 4.18.15*'])
        await see.fail(ClusterVersion, 'version', null)
        await world.until(() => see.history()[0] === 'Partial 4.18.16', { within: '3m' })
        assert.match(see.says('ReleaseAccepted') ?? '', /^True\|PayloadLoaded/)
      })
    })
  }
})

describe('the version operator', () => {
  it('T119 applies the same release once more when overrides change: that is progress over a completed update', async () => {
    await inCluster(async (see, world) => {
      const override = { kind: 'Deployment', group: 'apps', namespace: 'openshift-etcd-operator', name: 'etcd-operator', unmanaged: true }
      await world.client.patch(ClusterVersion, versionName, { spec: { overrides: [override] } })
      await world.until(() => see.says('Progressing')?.startsWith('True|') === true, { within: '1m' })
      assert.deepEqual(see.history(), ['Completed 4.18.15*'])
      assert.match(see.says('Upgradeable') ?? '', /^False\|ClusterVersionOverridesSet/)
      await world.until(() => see.says('Progressing') === 'False||Cluster version is 4.18.15', { within: '5m' })
      assert.deepEqual(see.history(), ['Completed 4.18.15*'])
    })
  })

  it('looks up updates anew when the channel changes, and says when it cannot', async () => {
    await inCluster(async (see, world) => {
      const channel = (name: string) => world.client.patch(ClusterVersion, versionName, { spec: { channel: name } })
      await channel('')
      await world.sleep('1m')
      assert.match(see.says('RetrievedUpdates') ?? '', /^False\|NoChannel/)
      assert.equal(see.clusterVersion()?.status?.availableUpdates, null)
      await channel('fast-4.18')
      assert.equal(see.clusterVersion()?.status?.availableUpdates, null, 'the answer takes a moment')
      await world.sleep('1m')
      assert.equal(see.clusterVersion()?.status?.availableUpdates?.length, 4)
      await see.fail(ClusterVersion, 'version', 'no-updates')
      await world.sleep('1m')
      assert.match(see.says('RetrievedUpdates') ?? '', /^False\|RemoteFailed/)
      await see.fail(ClusterVersion, 'version', null)
      await world.sleep('1m')
      assert.match(see.says('RetrievedUpdates') ?? '', /^True/)
    })
  })

  it('objects to the next minor while somebody does, and to nothing else', async () => {
    await inCluster(async (see, world) => {
      assert.equal(see.says('Upgradeable'), undefined)
      await see.fail(ClusterOperator, 'dns', 'not-upgradeable reason=OldApis')
      await world.sleep('10s')
      assert.match(see.says('Upgradeable') ?? '', /^False\|OldApis\|Cluster operator dns should not be upgraded between minor versions/)
      await see.ask({ version: '4.19.1' })
      await world.until(() => see.says('ReleaseAccepted')?.includes('ClusterVersionUpgradeable') === true, { within: '3m' })
      await see.ask({ version: '4.18.16' })
      await world.until(() => see.history()[0] === 'Partial 4.18.16', { within: '3m' })
      await see.fail(ClusterOperator, 'dns', null)
      await world.sleep('10s')
      assert.equal(see.says('Upgradeable'), undefined)
    })
  })

  it('stops at a manifest that is rejected, and goes on when it is not any more', async () => {
    await inCluster(async (see, world) => {
      await see.ask({ version: '4.18.16' })
      await world.until(() => see.operatorVersion('etcd') === '4.18.16', { within: '30m' })
      await see.fail(ClusterVersion, 'version', 'manifest-rejected')
      await world.sleep('30m')
      assert.match(
        see.says('Failing') ?? '',
        /^True\|UpdatePayloadResourceInvalid\|Could not update deployment "openshift-kube-apiserver-operator\/kube-apiserver-operator" \(99 of 862\)/,
      )
      assert.equal(see.operatorVersion('kube-scheduler'), '4.18.15')
      await see.fail(ClusterVersion, 'version', null)
      await world.until(() => see.isCompleted('4.18.16'), { within: '2h' })
    })
  })

  it('can be broken itself: then it is failing without a reason, and nothing is available', async () => {
    await inCluster(async (see, world) => {
      await see.fail(ClusterVersion, 'version', 'broken')
      await world.sleep('10s')
      assert.match(see.says('Failing') ?? '', /^True\|\|Error ensuring the cluster version is up to date: /)
      assert.match(see.says('Available') ?? '', /^False/)
      await see.fail(ClusterVersion, 'version', null)
      await world.sleep('10s')
      assert.deepEqual([see.says('Failing'), see.says('Available')], ['False||', 'True||Done applying 4.18.15'])
    })
  })

  it('writes conditions and history anew after they were taken away', async () => {
    await simulate({
      seed: 1,
      definitions,
      given: cluster,
      controllers: () => clusterControllers({ seed: 1, updates }),
      async world(world) {
        const see = looking(world)
        await see.fail(ClusterVersion, 'version', 'no-conditions')
        await world.sleep('1m')
        assert.deepEqual(see.clusterVersion()?.status?.conditions, [])
        await see.fail(ClusterVersion, 'version', 'no-history')
        await world.sleep('1m')
        assert.deepEqual(see.history(), [])
        await see.fail(ClusterVersion, 'version', null)
        await world.sleep('1m')
        assert.deepEqual(see.history(), ['Completed 4.18.15*'])
        assert.equal(see.says('Progressing'), 'False||Cluster version is 4.18.15')
        assert.equal(see.says('Available'), 'True||Done applying 4.18.15')
      },
    })
  })
})
