import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedCluster, NodePool } from '@windlass/api'
import { aControlPlaneVersion, aHostedCluster, aNodePool, aReleaseImage, aVersionStatus } from '@windlass/api/fixtures'
import { parseVersion, type SkewSource } from '@windlass/core'
import { failed, found } from '../../hosted-cluster/index.ts'
import { aNewPool, resolve, settingsWith } from '../testing/index.ts'
import {
  advisorySkew,
  checkNewPool,
  defaultUpgradeType,
  leftBehindWarnings,
  type NewPool,
  planControlPlaneMove,
  plannedFor,
  releaseForNewPool,
  releaseGate,
  skewWindows,
  wantedBy,
} from './index.ts'

type Status = NonNullable<HostedCluster['status']>
type Entry = NonNullable<NonNullable<Status['controlPlaneVersion']>['history']>[number]

/** `P 4.20.1` runs; `C 4.19.6` has got everywhere; `S 4.20.3` was superseded, which has a completion time too. */
const entry = (text: string): Entry => {
  const [letter = '', version = ''] = text.split(' ')
  const end = letter === 'P' ? {} : { completionTime: '2026-01-02T00:00:00Z' }
  return {
    state: letter === 'C' ? 'Completed' : 'Partial',
    startedTime: '2026-01-01T00:00:00Z',
    ...end,
    version,
    image: aReleaseImage(version),
  }
}
const history = (texts: readonly string[]): Entry[] => texts.map(entry)

function aClusterWith(management: readonly string[] | undefined, guest: readonly string[] | undefined, release = '4.19.6'): HostedCluster {
  const { controlPlaneVersion: _, version: __, ...status } = aHostedCluster().status ?? assert.fail()
  return aHostedCluster({
    release,
    status: {
      ...status,
      ...(management === undefined ? {} : { controlPlaneVersion: { ...aControlPlaneVersion(release), history: history(management) } }),
      ...(guest === undefined
        ? {}
        : {
            version: {
              ...aVersionStatus(release),
              history: history(guest).map((each) => ({ ...each, completionTime: each.completionTime ?? null, verified: true })),
            },
          }),
    },
  })
}

const at = (version: string): HostedCluster => aClusterWith([`C ${version}`], [`C ${version}`], version)
const running = (version: string, wanted: string) => aNodePool({ release: version, spec: { release: { image: aReleaseImage(wanted) } } })

function gate(cluster: HostedCluster, wanted: string, current?: string, source: SkewSource = 'Auto'): string | undefined {
  const pool = current === undefined ? aNewPool({ release: wanted }) : running(current, wanted)
  return releaseGate({
    pool,
    cluster,
    release: resolve(pool.spec.release.image),
    clusterRelease: resolve(cluster.spec.release.image),
    source,
  })
}

describe('the release gate', () => {
  it('NP-12 refuses a minor above that of the control plane', () =>
    assert.equal(gate(at('4.19.6'), '4.20.1', '4.19.6'), 'the latest version supported is: "4.19.6". Attempting to use: "4.20.1"'))

  it('NP-13 lets it through when the control plane has completed it', () => assert.equal(gate(at('4.20.1'), '4.20.1', '4.19.6'), undefined))

  it('NP-14 refuses to go back a minor, and not to go back a patch', () => {
    assert.equal(gate(at('4.19.6'), '4.18.20', '4.19.6'), 'y-stream downgrade from "4.19.6" to "4.18.20" is not supported')
    assert.equal(gate(at('4.19.6'), '4.19.2', '4.19.6'), undefined)
  })

  it('NP-15 refuses what is too old', () =>
    assert.equal(
      gate(at('4.19.6'), '4.13.9'),
      'the minimum version supported for platform KubeVirt is: "4.14". Attempting to use: "4.13.9"',
    ))

  it('NP-16 is skipped when the cluster says so, but for the look-up', () => {
    const cluster = {
      ...at('4.19.6'),
      metadata: { ...at('4.19.6').metadata, annotations: { 'hypershift.openshift.io/skip-release-image-validation': 'true' } },
    }
    assert.equal(gate(cluster, '4.13.9'), undefined)
    const pool = aNewPool()
    assert.equal(
      releaseGate({ pool, cluster, release: failed('no such image'), clusterRelease: failed(''), source: 'Auto' }),
      'no such image',
    )
  })

  it('NP-17 lets several minors through at once', () => assert.equal(gate(at('4.19.6'), '4.19.6', '4.16.3'), undefined))

  it('NP-18 refuses majors that cannot be counted', () =>
    assert.equal(gate(at('4.19.6'), '6.0.0'), 'unsupported major version 6; only 4.x and 5.x are supported'))

  it('refuses everything before 4.8, whatever the platform', () =>
    assert.equal(gate(at('4.19.6'), '4.7.0'), 'releases before 4.8 are not supported. Attempting to use: "4.7.0"'))

  it('NP-19 compares no patches', () => assert.equal(gate(at('4.18.5'), '4.18.10'), undefined))

  it('NP-26 goes by the management side, unless it is told to go by the guest', () => {
    const cluster = aClusterWith(['C 4.20.1'], ['P 4.20.1', 'C 4.19.6'], '4.20.1')
    assert.equal(gate(cluster, '4.20.1', '4.19.6'), undefined)
    assert.equal(
      gate(cluster, '4.20.1', '4.19.6', 'ClusterVersion'),
      'the latest version supported is: "4.19.6". Attempting to use: "4.20.1"',
    )
  })

  it('NP-27 does not take a superseded update for a completed one', () => {
    const cluster = aClusterWith(undefined, ['P 4.21.0', 'S 4.20.3', 'C 4.19.6'], '4.21.0')
    assert.match(gate(cluster, '4.20.3', '4.19.6', 'ClusterVersion') ?? '', /^the latest version supported is: "4\.19\.6"/)
  })

  it('goes by the release of the cluster while that is being installed', () => {
    assert.equal(gate(aClusterWith(['P 4.20.0'], ['P 4.20.0'], '4.20.0'), '4.20.0'), undefined)
    assert.equal(
      gate(aClusterWith(undefined, undefined, '4.20.0'), '4.21.0'),
      'the latest version supported is: "4.20". Attempting to use: "4.21.0"',
    )
  })

  it('goes no further than what we know how to run', () =>
    assert.equal(gate(at('5.2.3'), '5.2.3'), 'the latest version supported is: "5.1". Attempting to use: "5.2.3"'))

  it('knows which network plugins go with which minors', () => {
    const cluster = at('4.19.6')
    const sdn: HostedCluster = {
      ...cluster,
      spec: { ...cluster.spec, networking: { ...cluster.spec.networking, networkType: 'OpenShiftSDN' } },
    }
    assert.equal(gate(sdn, '4.19.6', '4.18.0'), 'y-stream upgrade from "4.18.0" to "4.19.6" is not for OpenShiftSDN')
    assert.equal(gate(sdn, '4.19.6'), 'cannot use OpenShiftSDN with OCP version "4.19.6" > 4.10')
    assert.equal(gate(cluster, '4.10.0'), 'cannot use OVNKubernetes with OCP version "4.10.0" < 4.11')
  })
})

describe('the advice about skew', () => {
  const advice = (cluster: HostedCluster, version: string, source: SkewSource = 'Auto') => {
    const { status, reason, message } = advisorySkew(cluster, resolve(aReleaseImage(version)), settingsWith(source).skew)
    return [status, reason, message]
  }

  it('NP-19 NodePool versions must not be higher, not even by a patch', () =>
    assert.deepEqual(advice(at('4.18.5'), '4.18.10'), [
      'False',
      'UnsupportedSkew',
      'NodePool version 4.18.10 cannot be higher than the HostedCluster version 4.18.5',
    ]))

  it('NP-20 nor too low', () =>
    assert.deepEqual(advice(at('4.18.5'), '4.14.0'), [
      'False',
      'UnsupportedSkew',
      'NodePool minor version 4.14 is less than 4.15, which is the minimum NodePool version compatible with the 4.18 HostedCluster',
    ]))

  it('NP-21 or all is well', () =>
    assert.deepEqual(advice(at('4.18.5'), '4.15.0'), ['True', 'AsExpected', 'Release image version is valid']))

  it('NP-22 5.0 is 4.23', () => {
    assert.equal(advice(at('5.0.0'), '4.23.0')[0], 'True')
    assert.equal(advice(at('5.0.0'), '4.20.0')[0], 'True')
    assert.equal(
      advice(at('5.0.0'), '4.19.0')[2],
      'NodePool minor version 4.19 is less than 4.20, which is the minimum NodePool version compatible with the 5.0 HostedCluster',
    )
  })

  it('NP-23 and 4.23 is 5.0', () => assert.equal(advice(at('4.23.0'), '5.0.0')[0], 'True'))

  it('NP-24 is unknown as long as nothing tells a version', () =>
    assert.deepEqual(advice(aClusterWith(undefined, undefined), '4.19.6'), [
      'Unknown',
      'ValidationFailed',
      'HostedCluster version is not available yet, waiting for version information',
    ]))

  it('is unknown when a version cannot be read', () => {
    assert.match(advice(at('4.18.5'), '6.0.0')[2] ?? '', /^Failed to parse NodePool version \(6\.0\.0\): unsupported major version 6/)
    assert.match(advice(at('6.0.0'), '4.18.5')[2] ?? '', /^Failed to parse control plane version \(6\.0\.0\): unsupported major/)
    assert.equal(advisorySkew(at('4.18.5'), failed('gone'), settingsWith('Auto').skew).message, 'Failed to get release image: gone')
  })
})

describe('the planner', () => {
  it('NP-25 has two windows, from all that may run in the control plane', () => {
    const cluster = aClusterWith(['P 4.20.1', 'P 4.19.19', 'C 4.19.6'], ['C 4.19.6'])
    const { active, tolerated, safe } = skewWindows(cluster, settingsWith('Auto', 'fixed:1').skew) ?? assert.fail()
    assert.deepEqual(
      active.map(({ text }) => text),
      ['4.20.1', '4.19.19', '4.19.6'],
    )
    assert.deepEqual([tolerated.min, tolerated.max.text, safe.min, safe.max.text], ['4.18', '4.20.1', '4.19', '4.19.6'])
  })

  it('NP-28 warns of the pools that an update would leave behind, and of no others', () => {
    const pools = [running('4.16.9', '4.16.9'), aNodePool({ name: 'infra', release: '4.17.2' })].map((pool) => ({
      pool,
      wanted: undefined,
    }))
    const move = { cluster: at('4.19.6'), pools, target: parseVersion('4.20.1'), skew: settingsWith('Auto').skew }
    assert.deepEqual(leftBehindWarnings(move), [
      'NodePool clusters/workers would be left behind by a control plane at 4.20.1: 4.16.9 is below 4.17, the lowest minor that nodes may have (by policy fixed:3, with 4.20.1 active in the control plane). Upgrade the pool first.',
    ])
    const { moves, problems } = planControlPlaneMove(move)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      moves.map((each) => (each.of === 'nodes' ? each.groups.join() : 'control plane')),
      ['clusters/workers', 'control plane'],
    )
  })

  it('counts nodes of a pool that are still where it comes from', () => {
    const pools = [{ pool: running('4.16.9', '4.19.6'), wanted: parseVersion('4.19.6') }]
    const { leftBehind } = planControlPlaneMove({
      cluster: at('4.19.6'),
      pools,
      target: parseVersion('4.20.1'),
      skew: settingsWith('Auto').skew,
    })
    assert.equal(leftBehind.length, 1)
  })
})

describe('the version that a pool asks for', () => {
  const cluster = at('4.19.6')
  const going = (image: string, conditions: NonNullable<NodePool['status']>['conditions'] = []) => {
    const pool = aNodePool({ release: '4.18.3' })
    const asked: NodePool = { ...pool, spec: { ...pool.spec, release: { image } }, status: { ...pool.status, conditions } }
    return plannedFor(asked, cluster)?.text
  }
  const said = (type: string, status: 'True' | 'False', message: string) =>
    [{ type, status, message, lastTransitionTime: '2026-03-06T12:00:00Z', observedGeneration: 1 }] as const
  const digest = 'example.com/ocp/release@sha256:0f0f'

  it('6.4 is the one of its image, also when the history of its cluster does not name that', () => {
    assert.equal(going(aReleaseImage('4.19.6')), '4.19.6')
    assert.equal(going(aReleaseImage('4.17.9')), '4.17.9')
    assert.equal(going(digest, said('UpdatingVersion', 'True', 'Updating version in progress. Target version: 4.17.9')), '4.17.9')
  })

  it('6.4 is no evidence of what runs when only the tag of its image says so', () => {
    const pool = aNodePool({ release: '4.18.3' })
    const asked = (release: string): NodePool => ({ ...pool, spec: { ...pool.spec, release: { image: aReleaseImage(release) } } })
    assert.equal(wantedBy(asked('4.19.6'), cluster)?.text, '4.19.6')
    assert.equal(wantedBy(asked('4.17.9'), cluster)?.text, '4.18.3')
  })

  it('6.4 is where it is when nobody knows what the image is, or it is refused', () => {
    assert.equal(going(digest), '4.18.3')
    assert.equal(going(aReleaseImage('4.20.1'), said('ValidReleaseImage', 'False', 'Failed to get release image')), '4.18.3')
  })

  it('6.4 NP-28 is warned of when a control plane would leave it behind', () => {
    const pool = aNodePool({ release: '4.17.9' })
    const wanted = plannedFor({ ...pool, spec: { ...pool.spec, release: { image: aReleaseImage('4.16.9') } } }, cluster)
    const warnings = leftBehindWarnings({
      cluster,
      pools: [{ pool, wanted }],
      target: parseVersion('4.20.1'),
      skew: settingsWith('Auto').skew,
    })
    assert.match(warnings.join(), /^NodePool clusters\/workers would be left behind by a control plane at 4\.20\.1/)
  })
})

describe('a pool that is to be created', () => {
  const cluster = aClusterWith(['P 4.20.1', 'C 4.19.6'], ['P 4.20.1', 'C 4.19.6'], '4.20.1')
  const { skew } = settingsWith('Auto')
  const check = (change: Partial<NewPool> = {}) => {
    const pool = aNewPool()
    return checkNewPool({
      cluster: at('4.19.6'),
      pool,
      isNameTaken: false,
      release: resolve(pool.spec.release.image),
      skew,
      isStrict: false,
      ...change,
    })
  }

  it('gets the release that its control plane has completed', () => {
    const { image, note } = releaseForNewPool(cluster, skew)
    assert.equal(image, aReleaseImage('4.19.6'))
    assert.match(note ?? '', /has completed 4\.19\.6, and not .*4\.20\.1.* yet/)
    assert.equal(releaseForNewPool(cluster, skew, { followCluster: true }).image, aReleaseImage('4.20.1'))
    assert.equal(releaseForNewPool(cluster, skew, { explicit: 'x' }).image, 'x')
    assert.equal(releaseForNewPool(aClusterWith(undefined, undefined), skew).image, aReleaseImage('4.19.6'))
  })

  it('gets what runs by its digest, without a word, when its cluster names that by a tag', () => {
    const image = 'example.com/ocp/release@sha256:0f0f'
    const settled = aClusterWith(['C 4.19.6'], ['C 4.19.6'])
    const [newest] = settled.status?.controlPlaneVersion?.history ?? assert.fail()
    const report = { ...settled.status?.controlPlaneVersion, history: [{ ...newest, image }] }
    const tagged = { ...settled, status: { ...settled.status, controlPlaneVersion: report } } as HostedCluster
    assert.deepEqual(releaseForNewPool(tagged, skew), { image, note: undefined })
  })

  it('passes when all is well', () => assert.deepEqual(check(), { errors: [], warnings: [] }))

  it('must be of the platform of its cluster, and have a name of its own', () => {
    const pool = aNewPool({ spec: { platform: { type: 'AWS' } } })
    assert.deepEqual(check({ pool, isNameTaken: true }).errors, [
      'NodePool platform type AWS must be HostedCluster type KubeVirt',
      'NodePool clusters/workers already exists; choose another name',
    ])
  })

  it('is warned of what is not safe now, or refused when that is asked for', () => {
    const told = { cluster, release: resolve(aReleaseImage('4.16.0')) }
    assert.match(check(told).warnings.join(), /^4\.16\.0 is below 4\.17/)
    assert.match(check({ ...told, isStrict: true }).errors.join(), /^4\.16\.0 is below 4\.17/)
  })

  it('is checked as far as that is possible', () => {
    assert.match(check({ release: undefined }).warnings.join(), /its version skew is not checked/)
    assert.match(check({ cluster: undefined }).warnings.join(), /nothing is checked until it exists/)
    assert.match(check({ cluster: aClusterWith(undefined, undefined) }).warnings.join(), /not available yet/)
    assert.deepEqual(check({ release: found({ ...assertFound(resolve(aReleaseImage('4.20.0'))) }) }).errors, [
      'NodePool version 4.20.0 cannot be higher than the HostedCluster version 4.19.6',
    ])
  })

  it('is upgraded in place where machines cannot be thrown away', () =>
    assert.deepEqual(['AWS', 'KubeVirt', 'Agent', 'None'].map(defaultUpgradeType), ['Replace', 'Replace', 'InPlace', 'InPlace']))
})

function assertFound<T>(lookup: { readonly is: 'found'; readonly value: T } | { readonly is: 'failed'; readonly problem: string }): T {
  return lookup.is === 'found' ? lookup.value : assert.fail(lookup.problem)
}
