import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { failed, found } from './lookup.ts'
import { upgradeGate } from './upgrade-gate.ts'
import type { UpgradeRequest } from './upgrade-gate.ts'

const image = (version: string): string => `example.com/ocp/release:${version}`

function request(
  told: Partial<UpgradeRequest> & { readonly from?: string; readonly to?: string; readonly upgradeable?: string } = {},
): UpgradeRequest {
  const { from = '4.18.4', to = '4.19.6', upgradeable, ...rest } = told
  return {
    version: { desired: { version: from, image: image(from) } },
    isAtTarget: false,
    conditions: upgradeable === undefined ? [] : [{ type: 'ClusterVersionUpgradeable', status: upgradeable }],
    forcedTo: undefined,
    target: image(to),
    release: found({ version: to }),
    controlPlaneRelease: undefined,
    ...rest,
  }
}

describe('the upgrade gate, row by row', () => {
  const rows: readonly (readonly [name: string, request: UpgradeRequest, verdict: string])[] = [
    ['a cluster without a version is not upgrading', request({ version: undefined, upgradeable: 'False' }), 'not-upgrading'],
    ['a cluster that is there already is not upgrading', request({ isAtTarget: true, upgradeable: 'False' }), 'not-upgrading'],
    ['a guest that says nothing may be upgraded', request(), 'allowed'],
    ['a guest that says so may be upgraded', request({ upgradeable: 'True' }), 'allowed'],
    ['a left-over annotation does not matter to a guest that may be upgraded', request({ upgradeable: 'True', forcedTo: 'x' }), 'allowed'],
    ['L16 an upgrade may be forced', request({ upgradeable: 'False', forcedTo: image('4.19.6') }), 'allowed'],
    [
      'L17 an upgrade that is forced to another image is blocked, even to the next patch',
      request({ upgradeable: 'False', forcedTo: 'x', to: '4.18.5' }),
      'force upgrade annotation is present but does not match desired release image',
    ],
    [
      'an empty annotation matches nothing',
      request({ upgradeable: 'False', forcedTo: '' }),
      'force upgrade annotation is present but does not match desired release image',
    ],
    [
      'L18 a release for the control plane alone counts as forced',
      request({ upgradeable: 'False', controlPlaneRelease: { image: 'x' } }),
      'allowed',
    ],
    [
      'a current version that cannot be read blocks',
      request({ upgradeable: 'False', from: '' }),
      'cluster version is not upgradeable, and its current version "" cannot be read',
    ],
    [
      'a target that cannot be looked up blocks',
      request({ upgradeable: 'False', release: failed('the registry is down') }),
      'cluster version is not upgradeable, and the version of example.com/ocp/release:4.19.6 cannot be read: the registry is down',
    ],
    ['L15 the same minor is allowed', request({ upgradeable: 'False', to: '4.18.5' }), 'allowed'],
    ['L13 another minor is blocked', request({ upgradeable: 'False' }), 'cluster version is not upgradeable'],
    ['L14 another minor is blocked while nobody knows', request({ upgradeable: 'Unknown' }), 'cluster version is not upgradeable'],
    [
      '5.0 is another minor than 4.23 to a guest that objects',
      request({ upgradeable: 'False', from: '4.23.4', to: '5.0.1' }),
      'cluster version is not upgradeable',
    ],
  ]
  for (const [name, given, expected] of rows) {
    it(name, () => {
      const verdict = upgradeGate(given)
      assert.equal(verdict.is === 'blocked' ? verdict.message : verdict.is, expected)
    })
  }
})

describe('the upgrade gate', () => {
  const anyRequest: fc.Arbitrary<UpgradeRequest> = fc
    .record({
      from: fc.constantFrom('', '4.18.4', '4.19.6', 'nonsense', '3.11.0'),
      to: fc.constantFrom('4.18.5', '4.19.6', '5.0.1', 'nonsense', ''),
      upgradeable: fc.constantFrom(undefined, 'True', 'False', 'Unknown', 'Maybe'),
      isAtTarget: fc.boolean(),
      hasVersion: fc.boolean(),
      isFound: fc.boolean(),
      forcedTo: fc.constantFrom(undefined, '', image('4.19.6'), image('4.18.5')),
      hasOwnRelease: fc.boolean(),
    })
    .map(({ hasVersion, isFound, hasOwnRelease, upgradeable, ...told }) =>
      request({
        ...told,
        ...(upgradeable === undefined ? {} : { upgradeable }),
        ...(hasVersion ? {} : { version: undefined }),
        ...(isFound ? {} : { release: failed('down') }),
        ...(hasOwnRelease ? { controlPlaneRelease: { image: 'x' } } : {}),
      }),
    )

  it('has an answer to everything, and says why when it is no', () => {
    fc.assert(
      fc.property(anyRequest, (given) => {
        const verdict = upgradeGate(given)
        assert.ok(['not-upgrading', 'allowed', 'blocked'].includes(verdict.is))
        if (verdict.is === 'blocked') assert.notEqual(verdict.message, '')
      }),
      { seed: 1 },
    )
  })

  it('never lets a guest through to another minor that has not agreed, unless somebody took the responsibility', () => {
    fc.assert(
      fc.property(anyRequest, (given) => {
        const status = given.conditions[0]?.status
        if (upgradeGate(given).is !== 'allowed' || status === 'True' || status === undefined) return
        const isForced = given.forcedTo === given.target || given.controlPlaneRelease !== undefined
        const { version } = given.release.is === 'found' ? given.release.value : { version: '' }
        const stream = (text: string | undefined): string => (text ?? '').split('.').slice(0, 2).join('.')
        assert.ok(isForced || stream(version) === stream(given.version?.desired.version))
      }),
      { seed: 1 },
    )
  })
})
