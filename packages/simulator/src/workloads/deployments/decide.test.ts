import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Deployment, type ReplicaSet } from '@windlass/api'
import { aDeployment, aReplicaSet } from '@windlass/api/fixtures'
import { findCondition, formatTime } from '@windlass/core'
import { deedsOf, noon, statusIn, templateOf } from '../testing/index.ts'
import { boundsOf } from './bounds.ts'
import { decide, type Observed } from './decide.ts'
import { hashLabel, newReplicaSet, notes, revisionAnnotation } from './revisions.ts'

const templates = {
  a: templateOf('web', 'example.com/web:a'),
  b: templateOf('web', 'example.com/web:b'),
  c: templateOf('web', 'example.com/web:c'),
}
type TemplateName = keyof typeof templates

const deploymentAt = (name: TemplateName, spec: Partial<Deployment['spec']> = {}, status: Deployment['status'] = {}): Deployment =>
  aDeployment({
    name: 'web',
    metadata: { generation: 4 },
    spec: { replicas: 3, template: templates[name], progressDeadlineSeconds: 600, ...spec },
    status,
  })

interface SetOptions {
  readonly size: number
  readonly available?: number
  readonly revision?: number
  readonly isUnseen?: boolean
}

/** The ReplicaSet of a template, looked after. */
const setAt = (name: TemplateName, { size, available = size, revision = 1, isUnseen = false }: SetOptions): ReplicaSet => {
  const deployment = deploymentAt(name)
  const bounds = boundsOf(deployment)
  const { metadata, spec } = newReplicaSet(deployment, { old: [], replicas: size, bounds })
  return aReplicaSet({
    name: metadata.name ?? '',
    metadata: {
      ...(metadata.labels === undefined ? {} : { labels: metadata.labels }),
      annotations: { ...notes(bounds), [revisionAnnotation]: String(revision) },
      generation: 2,
      creationTimestamp: formatTime(noon - 1_000_000 + revision * 1_000),
    },
    spec,
    status: { observedGeneration: isUnseen ? 1 : 2, replicas: size, readyReplicas: available, availableReplicas: available },
  })
}
const names = {
  a: setAt('a', { size: 0 }).metadata.name,
  b: setAt('b', { size: 0 }).metadata.name,
  c: setAt('c', { size: 0 }).metadata.name,
}
const look = (deployment: Deployment, replicaSets: readonly ReplicaSet[], occupied: Observed['occupied'] = new Set()) =>
  decide({ deployment, replicaSets, occupied }, noon)
const progressingIn = (plan: ReturnType<typeof look>): string | undefined => {
  const condition = findCondition(statusIn(plan, Deployment)?.conditions, 'Progressing')
  return condition === undefined ? undefined : `${condition.status} ${condition.reason}`
}

describe('a Deployment', () => {
  it('makes a ReplicaSet for its template, named after it, and knows it again', () => {
    const plan = look(deploymentAt('a'), [])
    assert.deepEqual(deedsOf(plan), [`create ReplicaSet ${names.a}`])
    const [action] = plan.actions
    assert.equal(action?.do, 'create')
    const draft = JSON.parse(JSON.stringify(action.object))
    assert.equal(draft.spec.replicas, 3)
    const hash = draft.metadata.labels[hashLabel]
    assert.equal(names.a, `web-${hash}`)
    assert.deepEqual([draft.spec.selector.matchLabels[hashLabel], draft.spec.template.metadata.labels[hashLabel]], [hash, hash])
    assert.deepEqual(draft.metadata.annotations, {
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '3',
      'deployment.kubernetes.io/revision': '1',
    })
    assert.deepEqual(deedsOf(look(deploymentAt('a'), [setAt('a', { size: 3 })])), [])
  })

  it('waits for ReplicaSets that nobody has looked at since they were changed', () => {
    const plan = look(deploymentAt('b'), [setAt('a', { size: 3, isUnseen: true })])
    assert.deepEqual(plan, { actions: [], waitingFor: `ReplicaSet ${names.a} to be looked at` })
  })

  it('begins a rollout with a new ReplicaSet, and says that the last one is history', () => {
    const complete = {
      type: 'Progressing',
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      lastUpdateTime: formatTime(noon - 5_000_000),
    } as const
    const plan = look(deploymentAt('b', {}, { conditions: [complete] }), [setAt('a', { size: 3 })])
    assert.deepEqual(deedsOf(plan), [`create ReplicaSet ${names.b}`])
    assert.equal(progressingIn(plan), 'True NewReplicaSetCreated')
  })

  it('goes step by step, with a guard against what others do meanwhile', () => {
    const [old, fresh] = [setAt('a', { size: 3 }), setAt('b', { size: 0, revision: 2 })]
    const plan = look(deploymentAt('b'), [old, fresh])
    assert.deepEqual(deedsOf(plan), [`patch ReplicaSet ${names.a} {"spec":{"replicas":2}}`])
    const [action] = plan.actions
    assert.equal(action?.do === 'patch' && action.resourceVersion, old.metadata.resourceVersion)
  })

  it('counts a template that comes back as the newest', () => {
    const plan = look(deploymentAt('a'), [setAt('a', { size: 3, revision: 1 }), setAt('b', { size: 0, revision: 2 })])
    assert.deepEqual(deedsOf(plan), [`patch ReplicaSet ${names.a} {"metadata":{"annotations":{"${revisionAnnotation}":"3"}}}`])
  })

  it('says how far it is, in the counts of its ReplicaSets', () => {
    const plan = look(deploymentAt('b'), [setAt('a', { size: 2 }), setAt('b', { size: 1, available: 0, revision: 2 })])
    const { conditions, ...counts } = statusIn(plan, Deployment) ?? {}
    assert.deepEqual(counts, {
      observedGeneration: 4,
      replicas: 3,
      updatedReplicas: 1,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 1,
    })
    assert.deepEqual(
      conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`),
      ['Available True MinimumReplicasAvailable', 'Progressing True ReplicaSetUpdated'],
    )
    assert.equal(plan.requeueAfter, 600_000)
  })

  it('is complete when all is new and available', () => {
    const plan = look(deploymentAt('b', { revisionHistoryLimit: 5 }), [setAt('a', { size: 0 }), setAt('b', { size: 3, revision: 2 })])
    assert.equal(progressingIn(plan), 'True NewReplicaSetAvailable')
    assert.equal(plan.requeueAfter, undefined)
  })

  it('is not available with fewer Pods than it needs', () => {
    const { conditions } = statusIn(look(deploymentAt('a'), [setAt('a', { size: 3, available: 1 })]), Deployment) ?? {}
    assert.equal(findCondition(conditions, 'Available')?.reason, 'MinimumReplicasUnavailable')
  })

  it('that was scaled to zero is available and complete', () => {
    const plan = look(deploymentAt('a', { replicas: 0 }), [setAt('a', { size: 0 })])
    assert.deepEqual(deedsOf(plan), [
      `patch ReplicaSet ${names.a} {"metadata":{"annotations":{"deployment.kubernetes.io/desired-replicas":"0","deployment.kubernetes.io/max-replicas":"0"}}}`,
    ])
    const told = setAt('a', { size: 0 })
    const annotations = { ...told.metadata.annotations, ...notes({ replicas: 0, most: 0, leastAvailable: 0 }) }
    const { conditions, ...counts } =
      statusIn(look(deploymentAt('a', { replicas: 0 }), [{ ...told, metadata: { ...told.metadata, annotations } }]), Deployment) ?? {}
    assert.deepEqual(counts, { observedGeneration: 4 })
    assert.deepEqual(
      conditions?.map(({ reason }) => reason),
      ['MinimumReplicasAvailable', 'NewReplicaSetAvailable'],
    )
  })

  it('that is being deleted is left alone', () => {
    const leaving = deploymentAt('a')
    assert.deepEqual(look({ ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: formatTime(noon) } }, []).actions, [])
  })
})

describe('the progress of a Deployment', () => {
  const since = (seconds: number, reason: string, updatedReplicas = 1): Deployment['status'] => ({
    replicas: 3,
    updatedReplicas,
    readyReplicas: 2,
    availableReplicas: 2,
    conditions: [
      {
        type: 'Progressing',
        status: 'True',
        reason,
        lastUpdateTime: formatTime(noon - seconds * 1_000),
        lastTransitionTime: formatTime(noon - 9_000_000),
      },
    ],
  })
  const stuck = [setAt('a', { size: 2 }), setAt('b', { size: 1, available: 0, revision: 2 })]
  const lookAt = (status: Deployment['status'], spec: Partial<Deployment['spec']> = {}) => look(deploymentAt('b', spec, status), stuck)

  it('ends after the deadline, and not before', () => {
    assert.equal(progressingIn(lookAt(since(599, 'ReplicaSetUpdated'))), 'True ReplicaSetUpdated')
    assert.equal(lookAt(since(599, 'ReplicaSetUpdated')).requeueAfter, 1_000)
    assert.equal(progressingIn(lookAt(since(600, 'ReplicaSetUpdated'))), 'False ProgressDeadlineExceeded')
    assert.equal(lookAt(since(600, 'ReplicaSetUpdated')).requeueAfter, undefined)
  })

  it('starts the clock anew with every step', () => {
    const plan = lookAt(since(700, 'ReplicaSetUpdated', 0))
    const condition = findCondition(statusIn(plan, Deployment)?.conditions, 'Progressing')
    assert.deepEqual(
      [condition?.reason, condition?.lastUpdateTime, condition?.lastTransitionTime],
      ['ReplicaSetUpdated', formatTime(noon), formatTime(noon - 9_000_000)],
    )
  })

  it('stays what it was when Pods fail after the rollout', () => {
    const plan = look(deploymentAt('b', {}, since(9_000, 'NewReplicaSetAvailable', 3)), [setAt('b', { size: 3, available: 1 })])
    assert.equal(progressingIn(plan), 'True NewReplicaSetAvailable')
    assert.equal(plan.requeueAfter, undefined)
  })

  it('is not told without a deadline', () => {
    assert.equal(progressingIn(lookAt(since(1, 'ReplicaSetUpdated'), { progressDeadlineSeconds: 2 ** 31 - 1 })), undefined)
  })

  it('stands still while it is paused, and goes on afterwards', () => {
    const paused = lookAt(since(700, 'ReplicaSetUpdated'), { paused: true })
    assert.equal(progressingIn(paused), 'Unknown DeploymentPaused')
    assert.equal(paused.requeueAfter, undefined)
    const resumed = lookAt(since(9_000, 'DeploymentPaused'))
    assert.equal(progressingIn(resumed), 'Unknown DeploymentResumed')
    assert.equal(resumed.requeueAfter, 600_000)
  })
})

describe('a Deployment that is paused', () => {
  it('begins nothing new', () => assert.deepEqual(deedsOf(look(deploymentAt('b', { paused: true }), [setAt('a', { size: 3 })])), []))

  it('is scaled all the same', () => {
    assert.deepEqual(deedsOf(look(deploymentAt('b', { paused: true, replicas: 5 }), [setAt('a', { size: 3 })])), [
      `patch ReplicaSet ${names.a} {"metadata":{"annotations":{"deployment.kubernetes.io/desired-replicas":"5","deployment.kubernetes.io/max-replicas":"5"}},"spec":{"replicas":5}}`,
    ])
  })
})

describe('a Deployment that may not run two templates at a time', () => {
  const strategy = { type: 'Recreate' } as const

  it('ends the old Pods first', () => {
    assert.deepEqual(deedsOf(look(deploymentAt('b', { strategy }), [setAt('a', { size: 3 })])), [
      `patch ReplicaSet ${names.a} {"spec":{"replicas":0}}`,
    ])
  })

  it('waits until the last of them is gone', () => {
    const old = setAt('a', { size: 0 })
    assert.deepEqual(deedsOf(look(deploymentAt('b', { strategy }), [old], new Set([old.metadata.name ?? '']))), [])
    assert.deepEqual(deedsOf(look(deploymentAt('b', { strategy }), [old])), [`create ReplicaSet ${names.b}`])
  })
})

describe('ReplicaSets of former templates', () => {
  const current = setAt('c', { size: 3, revision: 3 })
  const former = [setAt('a', { size: 0, revision: 1 }), setAt('b', { size: 0, revision: 2 })]
  const removed = (revisionHistoryLimit: number, old = former) =>
    deedsOf(look(deploymentAt('c', { revisionHistoryLimit }), [...old, current]))

  it('are kept as many as are wanted, the newest', () => {
    assert.deepEqual(removed(2), [])
    assert.deepEqual(removed(1), [`delete ReplicaSet ${names.a}`])
    assert.deepEqual(removed(0), [`delete ReplicaSet ${names.a}`, `delete ReplicaSet ${names.b}`])
  })

  it('are kept while the rollout goes on', () => {
    assert.deepEqual(
      deedsOf(look(deploymentAt('c', { revisionHistoryLimit: 0 }), [...former, setAt('c', { size: 3, available: 2, revision: 3 })])),
      [],
    )
  })
})
