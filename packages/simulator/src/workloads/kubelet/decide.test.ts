import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Pod } from '@windlass/api'
import { aNamespace, aPod } from '@windlass/api/fixtures'
import { findCondition, formatTime, type Instant, parseTime } from '@windlass/core'
import type { Plan } from '@windlass/kube'
import { failureAnnotation } from '../../failures/index.ts'
import { settingsOf, type WorkloadOptions } from '../settings.ts'
import { deedsOf, noon, statusIn } from '../testing/index.ts'
import { decideWith } from './decide.ts'

/** Everything takes a round number of seconds: 4 to fetch, 2 to start, 10 to be ready, 20 to work, 3 to crash, 5 to stop. */
const durations = {
  pull: { median: 4_000, spread: 0 },
  start: { median: 2_000, spread: 0 },
  ready: { median: 10_000, spread: 0 },
  work: { median: 20_000, spread: 0 },
  crash: { median: 3_000, spread: 0 },
  stop: { median: 5_000, spread: 0 },
}
const seconds = (count: number): Instant => noon + count * 1_000
const decider = (options: Partial<WorkloadOptions> = {}) => decideWith(settingsOf({ seed: 1, durations, ...options }))
const usual = decider()

const aNewPod = (options: { fail?: string; spec?: Partial<Pod['spec']>; metadata?: Pod['metadata'] } = {}): Pod =>
  aPod({
    name: 'a',
    metadata: {
      creationTimestamp: formatTime(noon),
      annotations: options.fail === undefined ? {} : { [failureAnnotation]: options.fail },
      ...options.metadata,
    },
    status: { phase: 'Pending' },
    ...(options.spec === undefined ? {} : { spec: options.spec }),
  })

/** The Pod after the plan. */
const after = (pod: Pod, plan: Plan): Pod => ({ ...pod, status: { ...pod.status, ...statusIn(plan, Pod) } })
const said = ({ status }: Pod): string => {
  const [container] = status?.containerStatuses ?? []
  const { waiting, running, terminated } = container?.state ?? {}
  const state = waiting?.reason ?? (running === undefined ? (terminated?.reason ?? 'nothing') : 'running')
  return `${status?.phase} ${state}${findCondition(status?.conditions, 'Ready')?.status === 'True' ? ' ready' : ''}${container?.restartCount ? ` again ${container.restartCount}` : ''}`
}

/** What the Pod says whenever it says something new, and when, as a kubelet that looks whenever it planned to. */
const story = (pod: Pod, until: number, decide = usual): readonly string[] => {
  const lines: string[] = []
  let [now, current] = [noon, pod]
  for (;;) {
    const plan = decide({ pod: current, namespace: undefined }, now)
    if (statusIn(plan, Pod) !== undefined) {
      current = after(current, plan)
      lines.push(`${(now - noon) / 1_000} ${said(current)}`)
    }
    const next = plan.requeueAfter
    if (next === undefined || now + next > seconds(until)) return lines
    now += Math.max(1, next)
  }
}

describe('a Pod on a node', () => {
  it('is created, runs, and is ready', () => {
    assert.deepEqual(story(aNewPod(), 100), ['0 Pending ContainerCreating', '6 Running running', '16 Running running ready'])
  })

  it('tells what kubelets tell', () => {
    const { status } = after(aNewPod(), usual({ pod: aNewPod(), namespace: undefined }, seconds(16)))
    const [container] = status?.containerStatuses ?? []
    assert.deepEqual(container?.state, { running: { startedAt: formatTime(seconds(6)) } })
    assert.deepEqual(
      [container?.ready, container?.started, container?.restartCount, container?.image],
      [true, true, 0, 'example.com/ocp/release:4.19.6-x86_64'],
    )
    assert.match(container?.imageID ?? '', /^example\.com\/ocp\/release@sha256:[0-9a-f]{64}$/)
    assert.match(status?.podIP ?? '', /^10\.1(28|29|30|31)\./)
    assert.equal(status?.startTime, formatTime(noon))
    assert.deepEqual(
      status?.conditions?.map(({ type, status }) => `${type} ${status}`),
      ['PodReadyToStartContainers True', 'Initialized True', 'Ready True', 'ContainersReady True', 'PodScheduled True'],
    )
  })

  it('that nobody has looked at for a while is told of once, as it is by now', () => {
    const plan = usual({ pod: aNewPod(), namespace: undefined }, seconds(500))
    assert.equal(said(after(aNewPod(), plan)), 'Running running ready')
    assert.equal(plan.requeueAfter, undefined)
  })

  it('is not told of in stages that nobody could see', () => {
    assert.deepEqual(story(aNewPod(), 100, decider({ speed: 7 })), ['0 Running running', '1 Running running ready'])
    assert.deepEqual(story(aNewPod(), 100, decider({ speed: Number.POSITIVE_INFINITY })), ['0 Running running ready'])
  })

  it('runs its init containers first', () => {
    const spec = { initContainers: [{ name: 'setup', image: 'example.com/setup' }] }
    assert.deepEqual(story(aNewPod({ spec }), 100), ['0 Pending ContainerCreating', '8 Running running', '18 Running running ready'])
    const { status } = after(aNewPod({ spec }), usual({ pod: aNewPod({ spec }), namespace: undefined }, noon))
    assert.equal(status?.initContainerStatuses?.[0]?.state?.waiting?.reason, 'PodInitializing')
    assert.equal(findCondition(status?.conditions, 'Initialized')?.status, 'False')
  })

  it('counts from when it came to its node', () => {
    const waited = aNewPod({ metadata: { creationTimestamp: formatTime(seconds(-600)) } })
    const conditions = [{ type: 'PodScheduled', status: 'True', lastTransitionTime: formatTime(noon) } as const]
    assert.deepEqual(story({ ...waited, status: { phase: 'Pending', conditions } }, 100)[0], '0 Pending ContainerCreating')
  })

  it('that is on none is not the business of a kubelet', () => {
    assert.deepEqual(usual({ pod: aNewPod({ spec: { nodeName: '' } }), namespace: undefined }, noon), { actions: [] })
  })

  it('ends by itself where it should', () => {
    assert.deepEqual(story(aNewPod({ spec: { restartPolicy: 'Never' } }), 100), [
      '0 Pending ContainerCreating',
      '6 Running running ready',
      '26 Succeeded Completed',
    ])
  })
})

describe('a Pod whose image cannot be fetched', () => {
  it('never starts, and people are told', () => {
    assert.deepEqual(story(aNewPod({ fail: 'image-pull' }), 1_000), ['4 Pending ImagePullBackOff'])
    assert.deepEqual(deedsOf(usual({ pod: aNewPod({ fail: 'image-pull' }), namespace: undefined }, seconds(4))), ['event Failed'])
  })

  it('says so of the containers that come first, where kubectl looks', () => {
    const pod = aNewPod({ fail: 'image-pull', spec: { initContainers: [{ name: 'setup', image: 'example.com/setup' }] } })
    const [setup] = after(pod, usual({ pod, namespace: undefined }, seconds(4))).status?.initContainerStatuses ?? []
    assert.deepEqual(setup?.state, { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "example.com/setup"' } })
  })

  it('starts when it can be', () => {
    const failed = after(aNewPod(), usual({ pod: aNewPod({ fail: 'image-pull' }), namespace: undefined }, seconds(4)))
    const plan = usual({ pod: failed, namespace: undefined }, seconds(300))
    assert.equal(said(after(failed, plan)), 'Running running')
    assert.equal(plan.requeueAfter, 10_000)
  })

  it('keeps running if it runs already', () => {
    const running = after(aNewPod({ fail: 'image-pull' }), usual({ pod: aNewPod(), namespace: undefined }, seconds(50)))
    assert.deepEqual(usual({ pod: running, namespace: undefined }, seconds(60)).actions, [])
  })
})

describe('a Pod that crashes', () => {
  it('is started again, later each time', () => {
    assert.deepEqual(story(aNewPod({ fail: 'crash-loop' }), 80), [
      '0 Pending ContainerCreating',
      '6 Running running',
      '9 Running CrashLoopBackOff',
      '19 Running running again 1',
      '22 Running CrashLoopBackOff again 1',
      '42 Running running again 2',
      '45 Running CrashLoopBackOff again 2',
    ])
  })

  it('never waits longer than five minutes, and at least a second, however fast time flies', () => {
    const waits = (speed: number) => {
      const starts = story(aNewPod({ fail: 'crash-loop' }), speed === 1 ? 5_000 : 20, decider({ speed })).filter((line) =>
        line.includes('BackOff'),
      )
      const times = starts.map((line) => Number(line.split(' ')[0]))
      return times.slice(1).map((time, index) => time - (times[index] ?? 0))
    }
    assert.deepEqual(waits(1).slice(0, 6), [13, 23, 43, 83, 163, 303])
    assert.ok(
      waits(1)
        .slice(6)
        .every((wait) => wait === 303),
    )
    assert.ok(waits(100_000).every((wait) => wait >= 1))
  })

  it('recovers at its next start', () => {
    const pod = aNewPod({ fail: 'crash-loop' })
    const crashed = after(pod, usual({ pod, namespace: undefined }, seconds(9)))
    const healed: Pod = { ...crashed, metadata: { ...crashed.metadata, annotations: {} } }
    assert.deepEqual(usual({ pod: healed, namespace: undefined }, seconds(12)), {
      actions: [],
      requeueAfter: 7_000,
      waitingFor: 'containers that are backing-off to go on',
    })
    const started = after(healed, usual({ pod: healed, namespace: undefined }, seconds(19)))
    assert.equal(said(started), 'Running running again 1')
    assert.equal(said(after(started, usual({ pod: started, namespace: undefined }, seconds(29)))), 'Running running ready again 1')
  })

  it('may do so a few times only', () => {
    assert.deepEqual(story(aNewPod({ fail: 'crash-loop times=1' }), 100), [
      '0 Pending ContainerCreating',
      '6 Running running',
      '9 Running CrashLoopBackOff',
      '19 Running running again 1',
      '29 Running running ready again 1',
    ])
  })

  it('has failed if nobody starts it again', () => {
    assert.deepEqual(story(aNewPod({ fail: 'crash-loop', spec: { restartPolicy: 'Never' } }), 100), [
      '0 Pending ContainerCreating',
      '6 Running running ready',
      '9 Failed Error',
    ])
  })

  it('may have run well until then', () => {
    const ready = after(aNewPod({ fail: 'crash-loop' }), usual({ pod: aNewPod(), namespace: undefined }, seconds(50)))
    const plan = usual({ pod: ready, namespace: undefined }, seconds(60))
    assert.equal(said(after(ready, plan)), 'Running CrashLoopBackOff')
    assert.deepEqual(deedsOf(plan), ['event BackOff'])
  })
})

describe('a Pod that does not become ready', () => {
  it('runs', () => assert.deepEqual(story(aNewPod({ fail: 'never-ready' }), 1_000), ['0 Pending ContainerCreating', '6 Running running']))

  it('goes out of service if it was in it, and comes back at once', () => {
    const ready = after(aNewPod({ fail: 'never-ready' }), usual({ pod: aNewPod(), namespace: undefined }, seconds(50)))
    const out = after(ready, usual({ pod: ready, namespace: undefined }, seconds(60)))
    assert.equal(said(out), 'Running running')
    assert.equal(findCondition(out.status?.conditions, 'Ready')?.lastTransitionTime, formatTime(seconds(60)))
    const healed: Pod = { ...out, metadata: { ...out.metadata, annotations: {} } }
    const back = after(healed, usual({ pod: healed, namespace: undefined }, seconds(90)))
    assert.equal(said(back), 'Running running ready')
    assert.equal(findCondition(back.status?.conditions, 'Ready')?.lastTransitionTime, formatTime(seconds(90)))
  })
})

describe('failures', () => {
  it('can make everything slow', () => {
    assert.deepEqual(story(aNewPod({ fail: 'slow' }), 1_000), [
      '0 Pending ContainerCreating',
      '60 Running running',
      '160 Running running ready',
    ])
    assert.deepEqual(story(aNewPod({ fail: 'slow factor=2' }), 1_000).at(-1), '32 Running running ready')
  })

  it('can be asked for by the namespace, and planned', () => {
    const namespace = aNamespace({ metadata: { name: 'clusters-prod', annotations: { [failureAnnotation]: 'image-pull image=4.19.6' } } })
    assert.equal(said(after(aNewPod(), usual({ pod: aNewPod(), namespace }, seconds(10)))), 'Pending ImagePullBackOff')
    assert.deepEqual(
      story(aNewPod(), 1_000, decider({ failures: [{ mode: 'never-ready', namespace: 'clusters-*' }] })).at(-1),
      '6 Running running',
    )
  })

  it('that nobody understands are told', () => {
    assert.deepEqual(deedsOf(usual({ pod: aNewPod({ fail: 'explode' }), namespace: undefined }, noon)), ['event InvalidFailure'])
  })
})

describe('a Pod that is deleted', () => {
  const leaving = (grace: number, options: { fail?: string; finalizers?: readonly string[] } = {}): Pod => {
    const pod = aNewPod({
      ...(options.fail === undefined ? {} : { fail: options.fail }),
      metadata: {
        ...(options.fail === undefined ? {} : { annotations: { [failureAnnotation]: options.fail } }),
        deletionTimestamp: formatTime(noon + grace * 1_000),
        deletionGracePeriodSeconds: grace,
        ...(options.finalizers === undefined ? {} : { finalizers: options.finalizers }),
      },
    })
    return after(pod, usual({ pod: aNewPod(), namespace: undefined }, seconds(100)))
  }
  const look = (pod: Pod, at: number) => usual({ pod, namespace: undefined }, seconds(at))

  it('takes its time to end, and is gone', () => {
    assert.deepEqual([deedsOf(look(leaving(30), 2)), look(leaving(30), 2).requeueAfter], [[], 3_000])
    assert.deepEqual(deedsOf(look(leaving(30), 5)), ['delete Pod a within 0 s'])
  })

  it('takes no longer than it is given', () => {
    assert.deepEqual([look(leaving(3), 2).requeueAfter, deedsOf(look(leaving(3), 3))], [1_000, ['delete Pod a within 0 s']])
  })

  it('says that it has ended when finalizers hold it, once', () => {
    const held = leaving(0, { finalizers: ['example.com/hold'] })
    const plan = look(held, 5)
    assert.deepEqual(deedsOf(plan), [])
    assert.equal(said(after(held, plan)), 'Failed Error')
    assert.deepEqual(look(after(held, plan), 6).actions, [])
  })

  it('may never end', () => {
    assert.deepEqual(look(leaving(30, { fail: 'never-gone' }), 1_000), { actions: [], waitingFor: 'somebody to delete it without grace' })
  })
})

describe('the times of a Pod', () => {
  it('have whole seconds, and none lies in the future', () => {
    const decide = decider({ durations: {} })
    for (const offset of [1_234, 20_999, 300_001]) {
      const { status } = after(aNewPod(), decide({ pod: aNewPod(), namespace: undefined }, noon + offset))
      const started = status?.containerStatuses?.[0]?.state?.running?.startedAt
      for (const time of [status?.startTime, started, ...(status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime)]) {
        if (time !== undefined) assert.ok((parseTime(time) ?? Number.POSITIVE_INFINITY) <= noon + offset, time ?? '')
      }
    }
  })
})
