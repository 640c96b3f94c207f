import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ControlPlaneComponent, HostedControlPlane } from '@windlass/api'
import { aControlPlaneComponent, aHostedControlPlane } from '@windlass/api/fixtures'
import type { EventAction, Plan, StatusAction } from '@windlass/kube'
import { alwaysExpected, decide, type ReleaseLookup, wantedPullspec } from './decide.ts'

const now = Date.UTC(2026, 2, 6, 12)
const digest = (letter: string): string => `quay.io/r@sha256:${letter.repeat(64)}`
const release = (version: string, letter = 'a'): ReleaseLookup => ({ release: { version, image: digest(letter) } })

/** A control plane that runs 4.19.6, and wants the release that is looked up for it. */
function aControlPlane(options: Parameters<typeof aHostedControlPlane>[0] = {}): HostedControlPlane {
  const version = { version: '4.19.6', image: digest('a') }
  const entry = { state: 'Completed', startedTime: '2026-03-01T00:00:00Z', completionTime: '2026-03-01T00:30:00Z', ...version } as const
  const controlPlaneVersion = { desired: version, history: [entry], observedGeneration: 1 }
  return aHostedControlPlane({
    ...options,
    spec: { releaseImage: digest('a'), ...options?.spec },
    status: { ready: true, initialized: true, externalManagedControlPlane: true, controlPlaneVersion },
  })
}

const components = (version: string): readonly ControlPlaneComponent[] => [aControlPlaneComponent({ name: 'kube-apiserver', version })]

function pass(
  controlPlane: HostedControlPlane,
  lookup: ReleaseLookup,
  seen: readonly ControlPlaneComponent[] | undefined = components('4.19.6'),
): Plan {
  return decide({ controlPlane, release: lookup, components: seen, expected: alwaysExpected }, now)
}

const written = ({ actions }: Plan) =>
  (actions.find((action) => action.do === 'status') as StatusAction<HostedControlPlane> | undefined)?.status.controlPlaneVersion
const words = ({ actions }: Plan): readonly string[] =>
  actions.filter((action): action is EventAction => action.do === 'event').map(({ word }) => word)

describe('what is wanted of the management side', () => {
  it('V18 is the release of the control plane where there is one', () => {
    assert.equal(wantedPullspec(aControlPlane({ spec: { releaseImage: digest('y'), controlPlaneReleaseImage: digest('x') } })), digest('x'))
  })

  it('V19 is the release of the cluster again when that is taken away', () => {
    assert.equal(wantedPullspec(aControlPlane({ spec: { releaseImage: digest('y') } })), digest('y'))
  })
})

describe('a pass', () => {
  it('V39 W9 writes nothing when nothing has changed', () => {
    assert.deepEqual(pass(aControlPlane(), release('4.19.6')), { actions: [] })
  })

  it('records an update, tells of it, and looks again soon', () => {
    const result = pass(aControlPlane(), release('4.20.1', 'b'))
    assert.deepEqual(
      written(result)?.history?.map(({ state, version }) => `${state} ${version}`),
      ['Partial 4.20.1', 'Completed 4.19.6'],
    )
    assert.deepEqual(words(result), ['ControlPlaneUpdateStarted'])
    assert.equal(result.requeueAfter, 5000)
  })

  it('W7 writes only if the control plane is still the one that was looked at', () => {
    const [action] = pass(aControlPlane(), release('4.20.1', 'b')).actions
    assert.ok(action?.do === 'status' && action.ifUnchanged)
  })

  it('tells of an update that another one has overtaken', () => {
    const started = aControlPlane()
    const controlPlaneVersion = written(pass(started, release('4.20.1', 'b')))
    const updating = { ...started, status: { ...started.status, controlPlaneVersion } } as HostedControlPlane
    assert.deepEqual(words(pass(updating, release('4.20.2', 'c'))), ['ControlPlaneUpdateSuperseded', 'ControlPlaneUpdateStarted'])
  })

  it('tells of the end of an update, and how long it took', () => {
    const started = aControlPlane()
    const controlPlaneVersion = written(pass(started, release('4.20.1', 'b')))
    const updating = { ...started, status: { ...started.status, controlPlaneVersion } } as HostedControlPlane
    const observed = { controlPlane: updating, release: release('4.20.1', 'b'), components: components('4.20.1'), expected: alwaysExpected }
    const result = decide(observed, now + 90_000)
    assert.equal(written(result)?.history?.[0]?.state, 'Completed')
    assert.deepEqual(words(result), ['ControlPlaneUpdateCompleted'])
    assert.match(JSON.stringify(result.actions), /complete after 90 seconds/)
  })

  it('V24 leaves the history alone when the release cannot be looked up, and says what it waits for', () => {
    const result = pass(aControlPlane(), { problem: 'the registry does not answer' })
    assert.deepEqual([result.actions, result.requeue], [[], true])
    assert.match(result.waitingFor ?? '', /cannot be looked up: the registry does not answer/)
  })

  it('V25 V26 leaves the history alone when the release has no version that could be written', () => {
    for (const version of ['', '4.20']) {
      const result = pass(aControlPlane(), { release: { version, image: digest('b') } })
      assert.deepEqual([result.actions, result.requeue], [[], true])
    }
  })

  it('V21 records the attempt when the components could not be listed, and tries again', () => {
    const observed = { controlPlane: aControlPlane(), release: release('4.20.1', 'b'), components: undefined, expected: alwaysExpected }
    const result = decide(observed, now)
    assert.equal(written(result)?.observedGeneration, 1)
    assert.equal(written(result)?.history?.[0]?.version, '4.20.1')
    assert.ok(result.requeue)
  })

  it('does nothing for a control plane that goes', () => {
    const going = aControlPlane({ metadata: { deletionTimestamp: '2026-03-06T11:00:00Z' } })
    assert.deepEqual(pass(going, release('4.20.1', 'b')), { actions: [] })
  })

  it('looks at a tag again when it may point elsewhere, though nothing tells', () => {
    const tagged = aControlPlane({ spec: { releaseImage: 'quay.io/r:4.19.6' } })
    assert.equal(pass(tagged, release('4.19.6')).requeueAfter, 1_800_000)
  })
})
