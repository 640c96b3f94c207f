import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ComponentReport } from '../completion/index.ts'
import { at, component, components, history, image, moment, release, update } from '../testing/notation.ts'
import { type ControlPlaneVersion, nextControlPlaneVersion, type SeenControlPlaneVersion } from './index.ts'

const noon = moment('12:00')

/** All components of a small control plane, done. */
const done = (version: string, generation = ''): readonly ComponentReport[] =>
  ['kube-apiserver', 'kube-controller-manager', 'openshift-apiserver'].map((name) => component(`${name}@${version}+${generation}`))

interface Look {
  readonly desired?: string
  readonly generation?: number
  /** Null: they could not be listed. */
  readonly components?: readonly ComponentReport[] | null
  readonly expected?: readonly string[]
  readonly now?: number
}

function pass(current: SeenControlPlaneVersion | undefined, look: Look): ControlPlaneVersion | undefined {
  const desired = look.desired === undefined ? (current?.desired ?? assert.fail('no release is wanted')) : release(look.desired)
  const components = look.components === undefined ? done(desired.version) : (look.components ?? undefined)
  const seen = { desired, generation: look.generation ?? 3, components }
  return nextControlPlaneVersion(
    current,
    look.expected === undefined ? seen : { ...seen, expected: new Set(look.expected) },
    look.now ?? noon,
  )
}

/** A status whose newest update is what is wanted. */
function status(...updates: readonly string[]): ControlPlaneVersion {
  const entries = history(...updates)
  const { version, image } = entries[0] ?? assert.fail('no updates')
  return { desired: { version, image }, history: entries, observedGeneration: 3 }
}

const historyAfter = (current: SeenControlPlaneVersion | undefined, look: Look) => pass(current, look)?.history
const running = status('P 4.17.0/A 11:50')

describe('the wanted release is the newest one', () => {
  it('V01 and completed when all components have got there', () => {
    assert.deepEqual(pass(running, {}), { ...running, history: history('C 4.17.0/A 11:50-12:00') })
  })

  for (const [id, what, late] of [
    ['V02', 'is still rolling out', component('kube-controller-manager@4.17.0-')],
    ['V03', 'is new and at an older version', component('new-component@4.16.0-')],
    ['V04', 'has no version', component('kube-scheduler@+')],
    ['V05', 'says nothing about its rollout', { metadata: { name: 'x' }, status: { version: '4.17.0', conditions: [] } }],
    [
      'V06',
      'does not know',
      { metadata: { name: 'x' }, status: { version: '4.17.0', conditions: [{ type: 'RolloutComplete', status: 'Unknown' }] } },
    ],
  ] satisfies [string, string, ComponentReport][]) {
    it(`${id} and stays Partial, without an end, while a component ${what}`, () => {
      const result = pass(running, { components: [...done('4.17.0'), late] })
      assert.equal(result, running)
      assert.ok(!('completionTime' in (result?.history?.[0] ?? {})))
    })
  }

  it('V08 V09 and completed only when all components have acted on the generation', () => {
    const rebuilt = status('P 4.17.0/B 11:55', 'C 4.17.0/A 11:00-11:55')
    const look = (generation: string): Look => ({ generation: 5, components: done('4.17.0', generation) })
    assert.equal(historyAfter(rebuilt, look('#4')), rebuilt.history)
    assert.deepEqual(historyAfter(rebuilt, look('#5')), history('C 4.17.0/B 11:55-12:00', 'C 4.17.0/A 11:00-11:55'))
  })

  it('V17 and stays Partial while an expected component is missing', () => {
    assert.equal(pass(running, { expected: ['kube-apiserver', 'etcd'] }), running)
  })

  it('V42 and completed, whatever a component says that is being deleted', () => {
    const leaving = { ...component('old@4.16.0-'), metadata: { name: 'old', deletionTimestamp: at('11:59') } }
    assert.equal(historyAfter(running, { components: [...done('4.17.0'), leaving] })?.[0]?.state, 'Completed')
  })

  it('keeps its Partial, its history and follows the generation when no component is left', () => {
    assert.deepEqual(pass(running, { components: [], generation: 4 }), { ...running, observedGeneration: 4 })
  })

  it('V32 V39 and Completed for good: nothing is written, whatever the components say', () => {
    const finished = status('C 4.17.0/A 11:00-11:30')
    assert.equal(pass(finished, {}), finished)
    assert.equal(pass(finished, { components: [...done('4.17.0'), component('kube-scheduler@4.17.0-')] }), finished)
    assert.equal(pass(finished, { components: components('kube-apiserver@4.16.0-') }), finished)
  })

  it('V20 V33 and only the generation changes after a change of something else', () => {
    const finished = status('C 4.17.0/A 11:00-11:30')
    const result = pass(finished, { generation: 7 })
    assert.deepEqual(result, { ...finished, observedGeneration: 7 })
    assert.equal(result?.history, finished.history)
  })

  it('V27 and its missing version is filled in', () => {
    const nameless = { ...running, history: [{ ...update('P 4.20.1/A'), version: '' }] }
    assert.deepEqual(historyAfter(nameless, { desired: '4.20.1/A', components: components('etcd@4.20.1-') }), history('P 4.20.1/A'))
  })

  it('and its missing image is filled in', () => {
    const imageless = { ...running, history: [{ ...update('P 4.20.1/A'), image: '' }] }
    assert.deepEqual(historyAfter(imageless, { desired: '4.20.1/A', components: components('etcd@4.20.1-') }), history('P 4.20.1/A'))
  })

  it('V28 when only the registry differs', () => {
    const current = status('C 4.20.1/A 11:00-11:30')
    const mirrored = { version: '4.20.1', image: image('A').replace('quay.io', 'mirror.local') }
    const result = nextControlPlaneVersion(current, { desired: mirrored, generation: 3, components: done('4.20.1') }, noon)
    assert.equal(result?.history, current.history)
  })

  it('V37 and ends no earlier than it started when the clock is behind', () => {
    assert.deepEqual(historyAfter(running, { now: moment('11:00') }), history('C 4.17.0/A 11:50-11:50'))
  })

  it('and keeps the end that somebody has written before', () => {
    assert.deepEqual(historyAfter(status('P 4.17.0/A 11:00-11:30'), {}), history('C 4.17.0/A 11:00-11:30'))
  })

  it('V40 and its times have no fraction of a second', () => {
    assert.equal(historyAfter(running, { now: noon + 734 })?.[0]?.completionTime, at('12:00'))
  })

  it('V43 and an end of null is none, and is not written back', () => {
    const seen = { ...running, history: [{ ...update('P 4.17.0/A 11:50'), completionTime: null }, update('C 4.16.0 11:00-11:50')] }
    const result = historyAfter(seen, { components: components('kube-apiserver@4.17.0-') })
    assert.deepEqual(result, history('P 4.17.0/A 11:50', 'C 4.16.0 11:00-11:50'))
    assert.equal(result?.[1], seen.history[1])
    assert.deepEqual(historyAfter(seen, {})?.[0], update('C 4.17.0/A 11:50-12:00'))
  })
})

describe('another release is wanted', () => {
  it('V07 for the image alone, and is not completed in the same pass', () => {
    const current = status('C 4.17.0/A 11:00-11:30')
    const result = pass(current, { desired: '4.17.0/B' })
    assert.deepEqual(result?.history, history('P 4.17.0/B 12:00', 'C 4.17.0/A 11:00-12:00'))
    assert.deepEqual(result.desired, release('4.17.0/B'))
  })

  it('V10 so the Completed one ends where it starts, and stays Completed', () => {
    const result = historyAfter(status('C 4.17.0/A 11:00-11:30'), { desired: '4.18.0/B' })
    assert.deepEqual(result, history('P 4.18.0/B 12:00', 'C 4.17.0/A 11:00-12:00'))
  })

  it('V11 so the Partial one ends where it starts, and stays Partial', () => {
    assert.deepEqual(historyAfter(running, { desired: '4.18.0/B' }), history('P 4.18.0/B 12:00', 'P 4.17.0/A 11:50-12:00'))
  })

  it('V19 when the control plane goes back to the release of the cluster', () => {
    const result = historyAfter(status('C 4.17.1/X 11:00-11:30'), { desired: '4.17.0/Y' })
    assert.deepEqual(result, history('P 4.17.0/Y 12:00', 'C 4.17.1/X 11:00-12:00'))
  })

  it('even without any component', () => {
    assert.deepEqual(historyAfter(running, { desired: '4.18.0/B', components: [] })?.length, 2)
  })

  it('V29 when a tag became a digest, because nothing proves that they are the same', () => {
    const tagged = { ...running, history: [{ ...update('C 4.17.0/A 11:00-11:30'), image: 'quay.io/releases:4.17.0' }] }
    assert.equal(historyAfter(tagged, { desired: '4.17.0/A' })?.length, 2)
  })

  it('V30 when the version alone differs', () => {
    const result = historyAfter(status('C 4.20.1/A 11:00-11:30'), { desired: '4.20.2/A' })
    assert.deepEqual(result, history('P 4.20.2/A 12:00', 'C 4.20.1/A 11:00-12:00'))
  })

  it('V31 and then the first one again: an update of its own', () => {
    const there = pass(status('C 4.17.0/A 11:00-11:30'), { desired: '4.18.0/B' })
    const back = pass(there, { desired: '4.17.0/A', now: moment('12:01') })
    assert.deepEqual(back?.history, history('P 4.17.0/A 12:01', 'P 4.18.0/B 12:00-12:01', 'C 4.17.0/A 11:00-12:00'))
    const arrived = pass(back, { desired: '4.17.0/A', now: moment('12:02') })
    assert.equal(arrived?.history?.[0]?.state, 'Completed')
  })

  it('V38 and the clock is behind: no time goes back', () => {
    const result = historyAfter(status('C 4.17.0/A 11:00-11:30'), { desired: '4.18.0/B', now: moment('10:00') })
    assert.deepEqual(result, history('P 4.18.0/B 11:30', 'C 4.17.0/A 11:00-11:30'))
  })

  it('V41 twice, before anything is completed', () => {
    const tag = (version: string): string => `quay.io/openshift-release-dev/ocp-release:${version}-x86_64`
    const want = (version: string) => ({ version, image: tag(version) })
    const busy = components('kube-apiserver@4.19.6-')
    const look = (version: string) => ({ desired: want(version), generation: 3, components: busy })
    const first = {
      state: 'Completed' as const,
      startedTime: '2026-02-01T08:00:00Z',
      completionTime: '2026-02-01T08:20:00Z',
      ...want('4.19.6'),
    }
    const start = { desired: want('4.19.6'), history: [first], observedGeneration: 1 }
    const failed = nextControlPlaneVersion(start, look('4.19.19'), Date.UTC(2026, 1, 24, 10))
    const again = nextControlPlaneVersion(failed, look('4.20.1'), Date.UTC(2026, 1, 25, 14))
    assert.deepEqual(again, {
      desired: want('4.20.1'),
      observedGeneration: 3,
      history: [
        { state: 'Partial', ...want('4.20.1'), startedTime: '2026-02-25T14:00:00Z' },
        { state: 'Partial', ...want('4.19.19'), startedTime: '2026-02-24T10:00:00Z', completionTime: '2026-02-25T14:00:00Z' },
        { state: 'Completed', ...want('4.19.6'), startedTime: '2026-02-01T08:00:00Z', completionTime: '2026-02-24T10:00:00Z' },
      ],
    })
  })
})

describe('nothing is on record', () => {
  it('V12 and all components have got there: a Completed entry', () => {
    assert.deepEqual(pass(undefined, { desired: '4.17.0/A', generation: 9 }), {
      desired: release('4.17.0/A'),
      history: history('C 4.17.0/A 12:00-12:00'),
      observedGeneration: 9,
    })
  })

  it('V13 and some have not: a Partial entry', () => {
    assert.deepEqual(historyAfter(undefined, { desired: '4.17.0/A', components: components('etcd@4.17.0-') }), history('P 4.17.0/A 12:00'))
  })

  it('V14 and there is no component: nothing to say', () => {
    assert.equal(pass(undefined, { desired: '4.17.0/A', components: [] }), undefined)
    const leaving = { ...component('old@4.17.0+'), metadata: { name: 'old', deletionTimestamp: at('11:59') } }
    assert.equal(pass(undefined, { desired: '4.17.0/A', components: [leaving] }), undefined)
  })

  it('V15 but the wanted release: it is repaired', () => {
    const bare = { desired: release('4.17.0/A') }
    assert.deepEqual(historyAfter(bare, {}), history('C 4.17.0/A 12:00-12:00'))
    assert.deepEqual(historyAfter({ ...bare, history: [] }, {}), history('C 4.17.0/A 12:00-12:00'))
    assert.equal(pass(bare, { components: [] }), undefined)
  })

  it('V16 and only the operators run: a Partial entry', () => {
    const operators = components('control-plane-operator@4.20.0+', 'cluster-api@4.20.0+')
    const look = { desired: '4.20.0/A', components: operators, expected: ['kube-apiserver'] }
    assert.deepEqual(historyAfter(undefined, look), history('P 4.20.0/A 12:00'))
  })

  it('leaves a generation out that is not known', () => {
    assert.ok(!('observedGeneration' in (pass(undefined, { desired: '4.17.0/A', generation: 0 }) ?? {})))
  })
})

describe('the components could not be listed', () => {
  it('V21 and another release is wanted: the attempt is recorded, the generation stays', () => {
    const current = status('C 4.19.6/A 11:00-11:30')
    assert.deepEqual(pass(current, { desired: '4.20.1/B', generation: 4, components: null }), {
      desired: release('4.20.1/B'),
      history: history('P 4.20.1/B 12:00', 'C 4.19.6/A 11:00-12:00'),
      observedGeneration: 3,
    })
  })

  it('V22 and nothing is on record: a Partial entry without a generation', () => {
    assert.deepEqual(pass(undefined, { desired: '4.20.1/B', components: null }), {
      desired: release('4.20.1/B'),
      history: history('P 4.20.1/B 12:00'),
    })
  })

  it('V23 and the release is the same: nothing changes', () => {
    const current = status('C 4.19.6/A 11:00-11:30')
    assert.equal(pass(current, { generation: 4, components: null }), current)
    assert.equal(pass(running, { generation: 4, components: null }), running)
  })
})

describe('a status', () => {
  it('keeps what others have put beside our fields', () => {
    const current = Object.assign({ theirs: 1 }, status('C 4.17.0/A 11:00-11:30'))
    const result = pass(current, { desired: '4.18.0/B' })
    assert.equal(Object(result).theirs, 1)
  })

  it('is not touched', () => {
    const frozen: ControlPlaneVersion = Object.freeze({ ...running, history: Object.freeze([Object.freeze(update('P 4.17.0/A'))]) })
    assert.notEqual(pass(frozen, {}), frozen)
    assert.notEqual(pass(frozen, { desired: '4.18.0/B' }), frozen)
  })
})
