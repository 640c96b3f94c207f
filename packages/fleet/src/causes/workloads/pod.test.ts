import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ContainerState, Event, Pod } from '@windlass/api'
import { aPod } from '@windlass/api/fixtures'
import type { PersistentVolumeClaim } from '../claim.ts'
import { ago, now, since } from '../testing/index.ts'
import { podTrouble, type PodSurroundings } from './pod.ts'

const around: PodSurroundings = { side: 'management', claims: [], events: [], now }

const image = 'example.com/ocp/hyperkube@sha256:1'

/** A Pod that is not ready, whose container is in this state. */
function aPodIn(state: ContainerState, more: Partial<NonNullable<Pod['status']>> = {}): Pod {
  const status = { name: 'kube-apiserver', ready: false, restartCount: 4, image, imageID: '', state }
  return aPod({
    status: {
      phase: 'Pending',
      startTime: ago(10),
      conditions: [since(10, 'PodScheduled', 'True', ''), since(10, 'Ready', 'False', 'ContainersNotReady')],
      containerStatuses: [status],
      ...more,
    },
  })
}

/** `Broken Pod kube-apiserver-… [reason]: sentence`, without the name. */
function inShort(pod: Pod, more: Partial<PodSurroundings> = {}): string | undefined {
  const trouble = podTrouble(pod, { ...around, ...more })
  if (trouble === undefined) return undefined
  const links = trouble.links.map(({ object, reason = '', says }) => `${object.kind} [${reason}] ${says}`)
  return `${trouble.weight}: ${links.join(' > ')}`
}

function aWarning(reason: string, note: string): Event {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'clusters-prod' },
    eventTime: ago(1),
    reportingController: 'kubelet',
    reportingInstance: 'node',
    action: 'Pull',
    reason,
    regarding: { kind: 'Pod', name: aPod().metadata.name ?? '' },
    note,
    type: 'Warning',
  }
}

describe('a Pod', () => {
  it('that is ready, or has done its work, is no trouble', () => {
    assert.equal(inShort(aPod()), undefined)
    assert.equal(inShort(aPod({ status: { phase: 'Succeeded' } })), undefined)
  })

  it('whose image cannot be pulled says which, and what the registry answered', () => {
    const pod = aPodIn({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off' } })
    const events = [aWarning('Failed', `Failed to pull image "${image}": unauthorized`)]
    const words = `Broken: Pod [ImagePullBackOff] the image of container kube-apiserver cannot be pulled: ${image}`
    assert.equal(inShort(pod), words)
    assert.equal(inShort(pod, { events }), `${words} (unauthorized)`)
  })

  it('that crashes says how it ended, and where its last words are', () => {
    const pod = aPodIn({ waiting: { reason: 'CrashLoopBackOff' } })
    const [status] = pod.status?.containerStatuses ?? []
    const ended = { ...status, lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }
    const crashing = { ...pod, status: { ...pod.status, containerStatuses: [ended] } } as Pod
    assert.match(inShort(crashing) ?? '', /ends soon after it starts, with 137 \(OOMKilled\), and has been restarted 4 times/)
    assert.match(podTrouble(crashing, around)?.command ?? '', /^logs -n clusters-prod .* -c kube-apiserver --previous$/)
  })

  it('that runs is given time to become ready', () => {
    const starting = aPodIn({ running: { startedAt: ago(1) } }, { phase: 'Running' })
    const late = aPodIn({ running: { startedAt: ago(5) } }, { phase: 'Running' })
    assert.match(inShort(starting) ?? '', /^Waiting: .*has started and is not ready yet/)
    assert.match(inShort(late) ?? '', /^Broken: Pod \[ContainersNotReady\] .*readiness probe does not pass/)
  })

  it('that no node takes says why', () => {
    const message = '0/3 nodes are available: 3 Insufficient memory.'
    const pod = aPod({
      spec: { nodeName: '' },
      status: { phase: 'Pending', conditions: [since(10, 'PodScheduled', 'False', 'Unschedulable', message)] },
    })
    assert.equal(inShort(pod), 'Broken: Pod [Unschedulable] no node takes it: 0/3 nodes are available: 3 Insufficient memory')
  })

  it('that waits for storage leads to the claim', () => {
    const claim: PersistentVolumeClaim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data-etcd-0', namespace: 'clusters-prod', creationTimestamp: ago(10) },
      spec: { storageClassName: 'fast' },
      status: { phase: 'Pending' },
    }
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data-etcd-0' } }]
    const pod = aPod({
      spec: { nodeName: '', volumes },
      status: { phase: 'Pending', conditions: [since(10, 'PodScheduled', 'False', 'Unschedulable', 'unbound')] },
    })
    assert.equal(
      inShort(pod, { claims: [claim] }),
      'Broken: Pod [Unschedulable] no node takes it: unbound > PersistentVolumeClaim [Pending] no volume has been made for it from storage class fast',
    )
  })

  it('whose volume cannot be mounted says so, though its container only waits', () => {
    const pod = aPodIn({ waiting: { reason: 'ContainerCreating' } })
    assert.match(inShort(pod) ?? '', /^Waiting: Pod \[ContainerCreating\]/)
    const events = [aWarning('FailedMount', 'MountVolume.SetUp failed for volume "kas": secret "kas" not found')]
    assert.match(inShort(pod, { events }) ?? '', /^Broken: Pod \[FailedMount\] a volume does not come to it: MountVolume.SetUp failed/)
  })

  it('that is to be gone is a trouble once its grace is over, and says which finalizers hold it', () => {
    const going = (minutes: number, finalizers: readonly string[] = []) =>
      aPod({ metadata: { name: 'etcd-0', namespace: 'clusters-prod', deletionTimestamp: ago(minutes), finalizers } })
    assert.match(inShort(going(-1)) ?? '', /^Working: Pod \[Terminating\] it is ending/)
    assert.match(inShort(going(5)) ?? '', /^Broken: Pod \[Terminating\] it was to be gone and is still there: its containers do not end/)
    assert.match(inShort(going(5, ['example.com/kept'])) ?? '', /finalizers hold it \(example\.com\/kept\)/)
  })

  it('that was evicted from its node has failed', () => {
    const pod = aPod({ status: { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' } })
    assert.equal(inShort(pod), 'Broken: Pod [Evicted] The node was low on resource: memory')
  })
})
