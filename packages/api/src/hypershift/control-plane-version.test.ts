import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  activeVersions,
  exposure,
  isControlPlaneAt,
  nextControlPlaneVersion,
  parseAdvisory,
  rolloutBlockers,
  rolloutState,
} from '@windlass/core'
import { schemaChecker } from '../conformance/closed-schema.ts'
import { toCrd } from '../crd.ts'
import { aClusterVersion, aControlPlaneComponent, aHostedCluster, aHostedControlPlane, aReleaseDigest } from '../fixtures/index.ts'
import { HostedControlPlane } from './index.ts'

type Status = NonNullable<HostedControlPlane['status']>

const now = Date.UTC(2026, 2, 6, 12)
const check = schemaChecker(toCrd(HostedControlPlane).spec.versions[0]?.schema.openAPIV3Schema ?? {})
const desired = { version: '4.20.1', image: aReleaseDigest('4.20.1') }

/** The control plane after a look at it: the rules know nothing of our schemas, yet what they write must fit. */
function afterLook(controlPlane: HostedControlPlane, version: string): HostedControlPlane {
  const components = [aControlPlaneComponent({ version })]
  const { controlPlaneVersion: current, ...status }: Status = controlPlane.status ?? assert.fail()
  const next = nextControlPlaneVersion(current, { desired, generation: 1, components }, now)
  return { ...controlPlane, status: next === undefined ? status : { ...status, controlPlaneVersion: next } }
}

describe('what the rules of updates write', () => {
  it('W2 W5 is accepted by the schema: at first, in the middle and at the end of an update', () => {
    const first = afterLook(aHostedControlPlane({ status: { ready: true, initialized: true } }), '4.20.1')
    const started = afterLook(aHostedControlPlane(), '4.19.6')
    const completed = afterLook(started, '4.20.1')
    const states = [first, started, completed].map(({ status }) => status?.controlPlaneVersion?.history?.map(({ state }) => state))
    assert.deepEqual(states, [['Completed'], ['Partial', 'Completed'], ['Completed', 'Completed']])
    for (const controlPlane of [first, started, completed]) assert.deepEqual(check(controlPlane), [])
  })
})

describe('the rules of updates', () => {
  it('read our objects as they are', () => {
    const { status } = aHostedCluster({ release: '4.20.1' })
    assert.equal(rolloutState(status, now), 'Completed')
    assert.ok(isControlPlaneAt(status, '4.20.1'))
    assert.equal(exposure(status?.controlPlaneVersion, parseAdvisory({ fixedIn: { '4.20': '4.20.1' } })).status, 'Fixed')
    assert.deepEqual(rolloutBlockers([aControlPlaneComponent({ version: '4.20.1' })], { version: '4.20.1', generation: 1 }), [])
    const active = activeVersions(status?.controlPlaneVersion?.history, aClusterVersion().status?.history)
    assert.deepEqual(
      active?.map(({ text }) => text),
      ['4.20.1'],
    )
  })
})
