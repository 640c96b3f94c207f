import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterOperator } from '@windlass/api'
import { simulate, type World } from '@windlass/kube/simulation'
import { failureAnnotation } from '../../failures/index.ts'
import { clusterControllers } from '../index.ts'
import { definitions, given, inOrder, lawfulHistory, lawfulProgress, looking, updates } from '../testing/index.ts'

const cluster = given({ ownOperators: ['my-operator'] })

function inCluster(script: (see: ReturnType<typeof looking>, world: World) => Promise<void>, isDegradedBlocking = true): Promise<unknown> {
  return simulate({
    seed: 1,
    definitions,
    given: cluster,
    controllers: () => clusterControllers({ seed: 1, updates, isDegradedBlocking }),
    invariants: [inOrder(), lawfulHistory, lawfulProgress],
    async world(world) {
      await world.sleep('1m')
      await script(looking(world), world)
    },
  })
}

describe('an operator', () => {
  it('T117 that is degraded for 41 minutes fails the update, which goes on by itself afterwards', async () => {
    await inCluster(async (see, world) => {
      await see.ask({ version: '4.18.16' })
      await see.fail(ClusterOperator, 'etcd', 'degraded for=50m reason=EtcdMembers_UnhealthyMembers')
      await world.sleep('39m')
      assert.match(see.operatorSays('etcd', 'Degraded') ?? '', /^True\|EtcdMembers_UnhealthyMembers/)
      assert.match(see.says('Progressing') ?? '', /waiting up to 40 minutes on etcd$/)
      assert.equal(see.says('Failing'), 'False||')
      await world.sleep('4m')
      assert.equal(
        see.says('Progressing'),
        'True|ClusterOperatorDegraded|Unable to apply 4.18.16: wait has exceeded 40 minutes for these operators: etcd',
      )
      assert.equal(see.says('Failing'), 'True|ClusterOperatorDegraded|Cluster operator etcd is degraded')
      await world.sleep('10m')
      assert.match(see.operatorSays('etcd', 'Degraded') ?? '', /^False/)
      assert.equal(see.operator('etcd')?.metadata.annotations?.[failureAnnotation], undefined, 'what lasts for a time takes itself away')
      await world.until(() => see.isCompleted('4.18.16'), { within: '2h' })
    })
  })

  it('that is degraded holds up nothing where that was switched off', async () => {
    await inCluster(async (see, world) => {
      await see.ask({ version: '4.18.16' })
      await see.fail(ClusterOperator, 'etcd', 'degraded')
      await world.until(() => see.isCompleted('4.18.16'), { within: '2h' })
      await world.until(() => see.says('Failing')?.startsWith('True|ClusterOperatorDegraded') === true, { within: '10m' })
    }, false)
  })

  it('that is not available fails the update when the attempt ends, and no later', async () => {
    await inCluster(async (see, world) => {
      await see.ask({ version: '4.18.16' })
      await world.until(() => see.says('Progressing')?.includes('kube-apiserver') === true, { within: '30m' })
      await see.fail(ClusterOperator, 'kube-apiserver', 'unavailable')
      await world.until(() => see.says('Failing') === 'True|ClusterOperatorNotAvailable|Cluster operator kube-apiserver is not available', {
        within: '8m',
      })
      assert.equal(
        see.says('Progressing'),
        'True|ClusterOperatorNotAvailable|Unable to apply 4.18.16: the cluster operator kube-apiserver is not available',
      )
      assert.equal(see.says('Available'), 'True||Done applying 4.18.15')
      await see.fail(ClusterOperator, 'kube-apiserver', null)
      await world.until(() => see.says('Failing') === 'False||', { within: '1m' })
      await world.until(() => see.isCompleted('4.18.16'), { within: '2h' })
    })
  })

  it('that is stuck is slow after half an hour, and goes on when it is not stuck any more', async () => {
    await inCluster(async (see, world) => {
      await see.fail(ClusterOperator, 'etcd', 'stuck')
      await see.ask({ version: '4.18.16' })
      await world.sleep('40m')
      assert.equal(see.says('Failing'), 'Unknown|SlowClusterOperator|waiting on etcd over 30 minutes which is longer than expected')
      assert.match(see.operatorSays('etcd', 'Progressing') ?? '', /^True/)
      await see.fail(ClusterOperator, 'etcd', null)
      await world.until(() => see.operatorVersion('etcd') === '4.18.16', { within: '1m' })
      assert.match(see.operatorSays('etcd', 'Progressing') ?? '', /^False/)
      await world.until(() => see.isCompleted('4.18.16'), { within: '2h' })
    })
  })

  it('T118 machine-config may take longer than others: it is slow after 90 minutes', async () => {
    await inCluster(async (see, world) => {
      await see.fail(ClusterOperator, 'machine-config', 'stuck')
      await see.ask({ version: '4.18.16' })
      await world.until(() => see.says('Progressing')?.endsWith('waiting on machine-config') === true, { within: '2h' })
      await world.sleep('89m')
      assert.equal(see.says('Failing'), 'False||')
      await world.sleep('2m')
      const slow = 'waiting on machine-config over 90 minutes which is longer than expected'
      assert.equal(see.says('Failing'), `Unknown|SlowClusterOperator|${slow}`)
      assert.match(
        see.says('Progressing') ?? '',
        new RegExp(`^True\\|ClusterOperatorUpdating\\|Working towards 4.18.16: .* done .*, ${slow}$`),
      )
    })
  })

  it('that is slow takes as many times as long', async () => {
    await inCluster(async (see, world) => {
      await see.fail(ClusterOperator, 'config-operator', 'slow factor=10')
      await see.ask({ version: '4.18.16' })
      await world.sleep('12m')
      assert.equal(see.operatorVersion('config-operator'), '4.18.15')
      await world.until(() => see.operatorVersion('config-operator') === '4.18.16', { within: '15m' })
    })
  })

  it('that does not tell its version is waited for', async () => {
    await inCluster(async (see, world) => {
      await see.fail(ClusterOperator, 'config-operator', 'silent')
      await world.sleep('1m')
      assert.equal(see.operatorVersion('config-operator'), undefined)
      assert.match(see.operatorSays('config-operator', 'Available') ?? '', /^True/)
      await see.ask({ version: '4.18.16' })
      await world.sleep('20m')
      assert.match(see.says('Progressing') ?? '', /waiting on config-operator$/)
      await see.fail(ClusterOperator, 'config-operator', null)
      await world.until(() => see.operatorVersion('config-operator') === '4.18.16', { within: '1m' })
    })
  })

  it('that came with no release has no part in updates, and may be as ill as any other', async () => {
    await inCluster(async (see, world) => {
      await see.fail(ClusterOperator, 'my-operator', 'degraded')
      await world.sleep('1m')
      assert.match(see.operatorSays('my-operator', 'Degraded') ?? '', /^True/)
      await see.ask({ version: '4.18.16' })
      await world.until(() => see.isCompleted('4.18.16'), { within: '2h' })
      assert.equal(see.operatorVersion('my-operator'), undefined)
      assert.equal(see.says('Failing'), 'False||')
      await see.fail(ClusterOperator, 'my-operator', null)
      await world.sleep('1m')
      assert.match(see.operatorSays('my-operator', 'Degraded') ?? '', /^False/)
    })
  })

  it('that was deleted is made again', async () => {
    await inCluster(async (see, world) => {
      await world.client.delete(ClusterOperator, { name: 'dns' })
      await world.until(() => see.operatorVersion('dns') === '4.18.15', { within: '5m' })
      assert.equal(see.says('Progressing'), 'False||Cluster version is 4.18.15')
    })
  })

  it('with something on every node notices each one that restarts', async () => {
    const { writes } = await simulate({
      seed: 1,
      definitions,
      given: cluster,
      controllers: () => clusterControllers({ seed: 1, updates }),
      async world(world) {
        const see = looking(world)
        await see.ask({ version: '4.18.16', image: 'example.com/ocp/release:4.18.16-x86_64' })
        await world.until(() => see.isCompleted('4.18.16'), { within: '2h' })
      },
    })
    const messages = writes.flatMap((write) => {
      const { status } = write.name === 'network' ? (write.as(ClusterOperator) ?? {}) : {}
      return (status?.conditions ?? [])
        .filter(({ type, reason }) => type === 'Progressing' && reason === 'Deploying')
        .map(({ message }) => message)
    })
    assert.ok(
      messages.includes('DaemonSet is not available (awaiting 1 nodes)') ||
        messages.includes('DaemonSet is not available (awaiting 2 nodes)'),
    )
  })
})
