import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Deployment, Job, StatefulSet } from '@windlass/api'
import { aCondition, aCronJob, aDeployment, aJob, aStatefulSet } from '@windlass/api/fixtures'
import { isDeploymentReady, validReason, workloadStatus } from './workload-status.ts'

const counts = { observedGeneration: 1, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 }

function deploymentWith(status: Deployment['status'], metadata = {}): Deployment {
  return aDeployment({ metadata, status: { ...counts, conditions: [aCondition('Available', 'True')], ...status } })
}

const short = ({ available, rolledOut }: ReturnType<typeof workloadStatus>) => [
  `${available.status} ${available.reason}`,
  `${rolledOut.status} ${rolledOut.reason}`,
]

describe('a Deployment', () => {
  it('3.6 that has all its replicas is available and rolled out', () => {
    assert.deepEqual(short(workloadStatus(aDeployment())), ['True AsExpected', 'True AsExpected'])
  })

  it('C12 with two of three replicas available is available and not rolled out', () => {
    const status = workloadStatus(deploymentWith({ updatedReplicas: 2, availableReplicas: 2, unavailableReplicas: 1 }))
    assert.deepEqual(short(status), ['True AsExpected', 'False WaitingForRolloutComplete'])
    assert.match(status.rolledOut.message, /2 out of 3 new replicas have been updated$/)
  })

  it('C13 whose last change was not observed yet is not rolled out, though all counts are equal', () => {
    const stale = deploymentWith({ observedGeneration: 3 }, { generation: 4 })
    assert.equal(short(workloadStatus(stale))[1], 'False WaitingForRolloutComplete')
  })

  it('C14 without an Available condition is not found', () => {
    assert.equal(short(workloadStatus(aDeployment({ status: counts })))[0], 'False NotFound')
  })

  it('3.6 that says it is not available waits for that', () => {
    const status = workloadStatus(
      deploymentWith({ conditions: [aCondition('Available', 'False', 'MinimumReplicasUnavailable', 'too few')] }),
    )
    assert.equal(short(status)[0], 'False WaitingForAvailable')
    assert.match(status.available.message, /too few/)
  })

  it('3.6 is rolled out only when every count is what it should be', () => {
    for (const count of ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'] as const)
      for (const value of [2, 4]) assert.equal(isDeploymentReady(deploymentWith({ [count]: value })), false, `${count} ${value}`)
    assert.equal(isDeploymentReady(deploymentWith({ unavailableReplicas: 1 })), false)
    assert.equal(isDeploymentReady(deploymentWith({})), true)
  })

  it('C26 that was scaled to nothing on purpose is ready: zero of zero', () => {
    const { spec } = aDeployment()
    const scaled = aDeployment({ spec: { ...spec, replicas: 0 }, status: { observedGeneration: 1 } })
    assert.equal(isDeploymentReady(scaled), true)
  })

  it('3.6 of which nothing is known yet is not ready', () => {
    const { status: _, ...fresh } = aDeployment()
    assert.deepEqual(short(workloadStatus(fresh)), ['False NotFound', 'False WaitingForRolloutComplete'])
  })
})

describe('a StatefulSet', () => {
  const withStatus = (status: Partial<NonNullable<StatefulSet['status']>>) => aStatefulSet({ status: { ...counts, ...status } })

  it('C25 with one of three replicas is available and not rolled out', () => {
    const status = workloadStatus(withStatus({ availableReplicas: 1, readyReplicas: 1, updatedReplicas: 1 }))
    assert.deepEqual(short(status), ['True AsExpected', 'False WaitingForRolloutComplete'])
    assert.match(status.rolledOut.message, /1 out of 3 new replicas have been updated$/)
  })

  it('3.6 without any replica available waits', () => {
    assert.equal(short(workloadStatus(withStatus({ availableReplicas: 0 })))[0], 'False WaitingForAvailable')
  })

  it('3.6 that wants none is available and rolled out', () => {
    const { spec } = aStatefulSet()
    const scaled = aStatefulSet({ spec: { ...spec, replicas: 0 }, status: { observedGeneration: 1, replicas: 0 } })
    assert.deepEqual(short(workloadStatus(scaled)), ['True AsExpected', 'True AsExpected'])
  })

  it('3.6 whose last change was not observed yet is not rolled out', () => {
    const stale = aStatefulSet({ metadata: { generation: 2 } })
    assert.equal(short(workloadStatus(stale))[1], 'False WaitingForRolloutComplete')
  })
})

describe('a Job', () => {
  const jobWith = (status: Job['status'] & object) => workloadStatus(aJob({ status }))

  it('C21 that runs is available and not rolled out', () => {
    assert.deepEqual(short(jobWith({ active: 1 })), ['True JobActive', 'False JobActive'])
  })

  it('3.6 that is complete is both', () => {
    assert.deepEqual(short(workloadStatus(aJob())), ['True JobComplete', 'True JobComplete'])
  })

  it('C22 that failed without a reason says JobFailed', () => {
    const status = jobWith({ failed: 1, conditions: [{ type: 'Failed', status: 'True' }] })
    assert.deepEqual(short(status), ['False JobFailed', 'False JobFailed'])
    assert.equal(status.rolledOut.message, 'Job failed')
  })

  it('3.6 that failed says why', () => {
    const failed = aCondition('Failed', 'True', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit')
    const status = jobWith({ conditions: [failed] })
    assert.deepEqual(short(status), ['False BackoffLimitExceeded', 'False BackoffLimitExceeded'])
    assert.equal(status.available.message, 'Job has reached the specified backoff limit')
  })

  it('3.6 that has not started is unknown', () => {
    assert.deepEqual(short(jobWith({})), ['False Unknown', 'False Unknown'])
  })

  it('3.6 runs on while an earlier failure is still written there', () => {
    const status = jobWith({ active: 1, conditions: [{ type: 'Failed', status: 'False' }] })
    assert.deepEqual(short(status), ['True JobActive', 'False JobActive'])
  })
})

it('3.6 a CronJob is always as expected', () => {
  assert.deepEqual(short(workloadStatus(aCronJob())), ['True AsExpected', 'True AsExpected'])
})

it('C29 a reason that the API server would refuse becomes another', () => {
  assert.equal(validReason('', 'Unknown'), 'Unknown')
  assert.equal(validReason(undefined, 'Unknown'), 'Unknown')
  assert.equal(validReason('two words', 'Unknown'), 'Unknown')
  assert.equal(validReason('NotFound', 'Unknown'), 'NotFound')
})
