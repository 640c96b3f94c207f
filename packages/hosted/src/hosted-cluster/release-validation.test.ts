import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedCluster } from '@windlass/api'
import { aControlPlaneVersion, aReleaseDigest, aReleaseImage, aVersionStatus } from '@windlass/api/fixtures'
import { failed, found } from './lookup.ts'
import { validReleaseImage } from './release-validation.ts'
import { aNewCluster, aResolvedRelease, aUserSecret, management, observationOf, pullSecret, releasesFor, World } from './testing/index.ts'
import type { Told } from './testing/index.ts'

const versions = [
  '3.11.0',
  '4.7.9',
  '4.10.3',
  '4.12.4',
  '4.13.9',
  '4.14.0',
  '4.18.4',
  '4.19.6',
  '4.20.1',
  '4.21.0',
  '4.23.4',
  '5.0.1',
  '5.1.0',
  '5.2.0',
]

interface Given extends Told {
  readonly to?: string
  /** What the guest runs; undefined for a new cluster. */
  readonly from?: string
  readonly controlPlaneFrom?: string
  readonly spec?: Partial<HostedCluster['spec']>
  readonly secret?: typeof pullSecret
}

function judge({ to = '4.19.6', from, controlPlaneFrom, spec = {}, secret = pullSecret, ...told }: Given): string {
  const cluster = aNewCluster({ release: to, spec })
  const version = aVersionStatus(from ?? to)
  const controlPlaneVersion = controlPlaneFrom === undefined ? undefined : aControlPlaneVersion(controlPlaneFrom)
  const observed = observationOf(new World([cluster, secret]), { releases: releasesFor(...versions), ...told })
  const { status, reason, message } = validReleaseImage(observed, { version, controlPlaneVersion })
  return `${status} ${reason}: ${message}`
}

const refused = (message: string): string => `False InvalidImage: ${message}`
const fine = 'True AsExpected: Release image is valid'
const sdn = { networking: { networkType: 'OpenShiftSDN' } } as const

describe('a release image, check by check', () => {
  it('needs a pull secret that can be read', () => {
    assert.match(judge({ secret: aUserSecret('other', {}) }), /^False SecretNotFound: pull secret clusters\/prod-pull-secret not found/)
    assert.match(judge({ secret: aUserSecret('prod-pull-secret', {}) }), /^False SecretNotFound: .* must have a \.dockerconfigjson key/)
    assert.match(judge({ secret: aUserSecret('prod-pull-secret', { '.dockerconfigjson': '{' }) }), /^False SecretNotFound: .* is malformed/)
  })

  it('must be found, and be a version', () => {
    const releases = new Map([[aReleaseImage('4.19.6'), failed('the registry is down')]])
    assert.equal(judge({ releases }), refused('failed to lookup release image: the registry is down'))
    const odd = new Map([[aReleaseImage('4.19.6'), found({ ...aResolvedRelease('4.19.6'), version: 'latest' })]])
    assert.match(
      judge({ releases: odd }),
      /^False InvalidImage: failed to lookup release image: .* says that it is "latest", which is no version$/,
    )
  })

  it('must be 4 or 5', () => assert.equal(judge({ to: '3.11.0' }), refused('unsupported major version 3; only 4.x and 5.x are supported')))
  it('must not be ancient', () =>
    assert.equal(judge({ to: '4.7.9' }), refused('releases before 4.8 are not supported. Attempting to use: "4.7.9"')))
  it('L19 must not be of an earlier minor', () =>
    assert.equal(judge({ from: '4.20.1', to: '4.19.6' }), refused('y-stream downgrade from "4.20.1" to "4.19.6" is not supported')))
  it('may be an earlier patch', () => {
    const releases = releasesFor('4.19.6', '4.19.4')
    assert.equal(judge({ from: '4.19.6', to: '4.19.4', releases }), fine)
  })
  it('must stay on its minor with the old network', () =>
    assert.equal(
      judge({ from: '4.18.4', to: '4.19.6', spec: sdn }),
      refused('y-stream upgrade from "4.18.4" to "4.19.6" is not for OpenShiftSDN'),
    ))
  it('must fit the network when there is nothing to compare it with', () => {
    assert.equal(judge({ to: '4.12.4', spec: sdn }), refused('cannot use OpenShiftSDN with OCP version "4.12.4" > 4.10'))
    assert.match(
      judge({ to: '4.12.4', spec: { ...sdn, platform: { type: 'PowerVS' } } }),
      /the minimum version supported for platform PowerVS/,
    )
    assert.equal(judge({ to: '4.10.3' }), refused('cannot use OVNKubernetes with OCP version "4.10.3" < 4.11'))
  })
  it('must not be newer than we are', () => {
    assert.equal(judge({ to: '5.1.0' }), fine)
    assert.equal(judge({ to: '5.2.0' }), refused('the latest version supported is: "5.1". Attempting to use: "5.2.0"'))
  })
  it('L20 must not be older than we support', () => {
    assert.equal(judge({ to: '4.14.0' }), fine)
    assert.equal(
      judge({ to: '4.13.9' }),
      refused('the minimum version supported for platform KubeVirt is: "4.14". Attempting to use: "4.13.9"'),
    )
  })
  it('L21 may go between 4.23 and 5.0, which are one minor', () => {
    assert.equal(judge({ from: '4.23.4', to: '5.0.1' }), fine)
    assert.equal(judge({ from: '5.0.1', to: '4.23.4' }), fine)
    assert.match(judge({ from: '5.1.0', to: '4.23.4' }), /y-stream downgrade/)
  })
  it('must be for processors that we know', () => {
    const releases = new Map([[aReleaseImage('4.19.6'), found(aResolvedRelease('4.19.6', 'riscv64'))]])
    assert.match(judge({ releases }), /^False PayloadArchNotFound: .* is for riscv64/)
  })

  it('may skip a minor, unless that is forbidden', () => {
    assert.equal(judge({ from: '4.18.4', to: '4.20.1' }), fine)
    const strict = { ...management, enforcesSequentialMinors: true }
    assert.match(judge({ from: '4.18.4', to: '4.20.1', management: strict }), /^False InvalidImage: release 4\.20\.1 skips 4\.19: /)
    assert.equal(judge({ from: '4.18.4', to: '4.19.6', management: strict }), fine)
  })
})

describe('two releases', () => {
  const apart = (image: string) => ({ spec: { controlPlaneRelease: { image: aReleaseImage(image) } } })

  it('are both judged', () => {
    assert.match(
      judge({ from: '4.19.6', controlPlaneFrom: '4.19.6', to: '4.19.6', ...apart('4.13.9') }),
      /y-stream downgrade from "4\.19\.6" to "4\.13\.9"/,
    )
    assert.match(
      judge({ from: '4.19.6', controlPlaneFrom: '4.20.1', to: '4.18.4', ...apart('4.20.1') }),
      /y-stream downgrade from "4\.19\.6" to "4\.18\.4"/,
    )
  })

  it('are each compared with what runs of it', () => {
    assert.equal(judge({ from: '4.18.4', controlPlaneFrom: '4.20.1', to: '4.19.6', ...apart('4.20.1') }), fine)
    // Back to the guest's own release would take the control plane back.
    assert.match(judge({ from: '4.19.6', controlPlaneFrom: '4.20.1', to: '4.19.6' }), /y-stream downgrade from "4\.20\.1" to "4\.19\.6"/)
  })

  it('are one when the tag points to the digest that runs', () => {
    const cluster = aNewCluster({ release: '4.12.4' })
    const version = { ...aVersionStatus('4.12.4'), desired: { version: '4.12.4', image: aReleaseDigest('4.12.4') } }
    const observed = observationOf(new World([cluster, pullSecret]), { releases: releasesFor('4.12.4') })
    // No current version is known then, and the check for new clusters is the one that speaks.
    assert.match(validReleaseImage(observed, { version, controlPlaneVersion: undefined }).message, /the minimum version supported/)
  })
})
