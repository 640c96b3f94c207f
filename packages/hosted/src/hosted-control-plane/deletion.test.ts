import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Deployment, HostedControlPlane } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { aCondition, aDeployment } from '@windlass/api/fixtures'
import { findCondition, formatTime } from '@windlass/core'
import { aControlPlane, noon, World } from '../hosted-cluster/testing/index.ts'
import { Annotation, Finalizer } from '../hosted-cluster/wire.ts'
import { decideControlPlaneDeletion } from './deletion.ts'
import type { SecurityGroupDeletion } from './deletion.ts'

type Conditions = NonNullable<NonNullable<HostedControlPlane['status']>['conditions']>
const minutes = (count: number): number => noon - count * 60_000
const since = (condition: Conditions[number], instant: number): Conditions[number] => ({
  ...condition,
  lastTransitionTime: formatTime(instant),
})
const scaledDown = aCondition('CVOScaledDown', 'True', 'CVOScaledDown')
const ref = { namespace: 'clusters-prod', name: 'prod' }

interface Given {
  readonly conditions?: Conditions
  readonly cleansUp?: boolean
  readonly platform?: 'AWS' | 'KubeVirt'
  readonly finalizers?: readonly string[]
  readonly versionOperator?: Deployment
  readonly securityGroup?: SecurityGroupDeletion
}

function run({
  conditions = [],
  cleansUp = true,
  platform = 'KubeVirt',
  finalizers = [Finalizer.cluster],
  versionOperator,
  securityGroup,
}: Given) {
  const controlPlane = aControlPlane({
    metadata: {
      finalizers,
      deletionTimestamp: formatTime(noon),
      annotations: cleansUp ? { [Annotation.cleanupCloudResources]: 'true' } : {},
    },
    spec: { platform: { type: platform } },
    status: { ready: false, initialized: true, conditions },
  })
  const objects: readonly KubernetesObject[] = versionOperator === undefined ? [controlPlane] : [controlPlane, versionOperator]
  const world = new World(objects)
  const plan = decideControlPlaneDeletion({ controlPlane, versionOperator, securityGroup: securityGroup ?? { is: 'done' } }, noon)
  world.carryOut(plan.actions, noon)
  const live = world.find(HostedControlPlane, ref)
  const says = (type: string): string | undefined => {
    const condition = findCondition(live?.status?.conditions, type)
    return condition === undefined ? undefined : `${condition.status} ${condition.reason}: ${condition.message}`
  }
  return { plan, world, isGone: live === undefined, says }
}

describe('deleting a control plane', () => {
  it('lets it go at once when nobody asked for a clean-up', () => assert.ok(run({ cleansUp: false }).isGone))
  it('lets it go at once when the cloud does not let us in', () =>
    assert.ok(run({ conditions: [aCondition('ValidAWSIdentityProvider', 'False')] }).isGone))
  it('leaves finalizers of others', () => {
    const { world, isGone } = run({ cleansUp: false, finalizers: [Finalizer.cluster, Finalizer.karpenter] })
    assert.equal(isGone, false)
    assert.deepEqual(world.find(HostedControlPlane, ref)?.metadata.finalizers, [Finalizer.karpenter])
    assert.match(run({ cleansUp: false, finalizers: [Finalizer.karpenter] }).plan.waitingFor ?? '', /karpenter-finalizer to be removed/)
  })

  it('stops the version operator of the guest first', () => {
    const versionOperator = aDeployment({ name: 'cluster-version-operator', spec: { replicas: 1 }, status: { replicas: 1 } })
    const { plan, world, says } = run({ versionOperator })
    assert.equal(world.find(Deployment, { namespace: 'clusters-prod', name: 'cluster-version-operator' })?.spec.replicas, 0)
    assert.equal(says('CVOScaledDown'), undefined)
    assert.equal(plan.requeueAfter, 60_000)
  })

  it('says when it has stopped', () => {
    const versionOperator = aDeployment({ name: 'cluster-version-operator', spec: { replicas: 0 }, status: {} })
    assert.match(run({ versionOperator }).says('CVOScaledDown') ?? '', /^True CVOScaledDown/)
    assert.match(run({}).says('CVOScaledDown') ?? '', /^True CVOScaledDown/)
  })

  it('waits for the guest to clean up, and looks every minute', () => {
    const { plan, isGone } = run({ conditions: [since(scaledDown, minutes(9))] })
    assert.equal(plan.requeueAfter, 60_000)
    assert.equal(isGone, false)
  })

  it('ends when the guest is done, or says that it will not be', () => {
    const destroyed = (status: 'True' | 'False', reason: string) =>
      run({ conditions: [scaledDown, aCondition('CloudResourcesDestroyed', status, reason)] })
    assert.ok(destroyed('True', 'CloudResourcesDestroyed').isGone)
    assert.ok(destroyed('False', 'CloudResourcesCleanupSkipped').isGone)
    assert.ok(destroyed('False', 'CloudResourcesDeletionTimedOut').isGone)
  })

  it('L34 gives up ten minutes after it last heard of the guest, and says so', () => {
    const held = run({ conditions: [since(scaledDown, minutes(11))], finalizers: [Finalizer.cluster, 'theirs'] })
    assert.match(
      held.says('CloudResourcesDestroyed') ?? '',
      /^False CloudResourcesDeletionTimedOut: Giving up on cloud resource deletion after 11m/,
    )
    assert.deepEqual(held.world.find(HostedControlPlane, ref)?.metadata.finalizers, ['theirs'])
    assert.ok(run({ conditions: [since(scaledDown, minutes(11))] }).isGone)
  })

  it('counts from the last news of the guest, if there was any', () => {
    const news = aCondition('CloudResourcesDestroyed', 'False', 'Removing', 'two load balancers left')
    const fresh = run({ conditions: [since(scaledDown, minutes(30)), since(news, minutes(5))] })
    assert.equal(fresh.isGone, false)
    const old = run({ conditions: [since(scaledDown, minutes(30)), since(news, minutes(12))], finalizers: [Finalizer.cluster, 'theirs'] })
    assert.match(old.says('CloudResourcesDestroyed') ?? '', /last status: two load balancers left/)
  })

  it('deletes the security group of AWS, tries again where that helps, and goes on where it does not', () => {
    const failed = (code: string) => run({ platform: 'AWS', securityGroup: { is: 'failed', code, message: `${code} happened` } })
    assert.match(run({ platform: 'AWS' }).says('AWSDefaultSecurityGroupDeleted') ?? '', /^True AsExpected/)
    for (const code of ['UnauthorizedOperation', 'InvalidIdentityToken', 'DependencyViolation']) {
      assert.match(failed(code).says('AWSDefaultSecurityGroupDeleted') ?? '', /^False AWSError/, code)
      assert.match(failed(code).says('CVOScaledDown') ?? '', /^True/, code)
    }
    assert.match(failed('DependencyViolation').says('AWSDefaultSecurityGroupDeleted') ?? '', /DependencyViolation happened/)
    const other = failed('RequestLimitExceeded')
    assert.equal(other.says('CVOScaledDown'), undefined)
    assert.equal(other.plan.requeue, true)
    assert.equal(run({}).says('AWSDefaultSecurityGroupDeleted'), undefined)
  })
})
