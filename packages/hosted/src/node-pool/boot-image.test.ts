import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedCluster, NodePool } from '@windlass/api'
import { aHostedCluster, aReleaseImage } from '@windlass/api/fixtures'
import type { BootImage, Release } from '../releases/index.ts'
import { releaseBootImage } from './boot-image.ts'
import { aNewPool, aRelease } from './testing/index.ts'

const ami = (region: string, image: string, stream = '', architecture = 'x86_64'): BootImage => ({
  stream,
  architecture,
  platform: 'AWS',
  region,
  image,
})
const disk = (image: string, stream = ''): BootImage => ({ stream, architecture: 'x86_64', platform: 'KubeVirt', image })

const releaseWith = (bootImages: readonly BootImage[], version = '4.19.6'): Release => ({
  ...aRelease(aReleaseImage(version), version),
  bootImages,
})

const on = (platform: NodePool['spec']['platform'], spec: Partial<NodePool['spec']> = {}): NodePool =>
  aNewPool({ spec: { platform, ...spec } })
const aws = { type: 'AWS', aws: { instanceType: 'm6i.large', subnet: { id: 'subnet-1' } } } as const
const kubevirt = { type: 'KubeVirt', kubevirt: { rootVolume: {} } } as const

function inRegion(region: string): HostedCluster {
  const cluster = aHostedCluster()
  const platform = { type: 'AWS', aws: { region } } as HostedCluster['spec']['platform']
  return { ...cluster, spec: { ...cluster.spec, platform } }
}

describe('the image that machines start from', () => {
  const around = { cluster: inRegion('us-east-1'), usesRunc: false }
  const release = releaseWith([
    ami('us-east-1', 'ami-1'),
    ami('eu-west-1', 'ami-2'),
    ami('us-east-1', 'ami-3', '', 'aarch64'),
    disk('disk-1'),
  ])

  it('5 is the AMI of the release in the region of the cluster, for the processors of the pool', () => {
    assert.deepEqual(releaseBootImage(on(aws), release, around), { is: 'found', value: 'ami-1' })
    assert.deepEqual(releaseBootImage(on(aws, { arch: 'arm64' }), release, around), { is: 'found', value: 'ami-3' })
    assert.deepEqual(releaseBootImage(on(aws), release, { cluster: inRegion('ap-south-1'), usesRunc: false }), {
      is: 'failed',
      problem: 'release 4.19.6 has no image for AWS in region ap-south-1 with processor amd64 and rhel-9; set spec.platform.aws.ami',
    })
  })

  it('5 is the container disk of the release on KubeVirt', () =>
    assert.deepEqual(releaseBootImage(on(kubevirt), release, around), { is: 'found', value: 'disk-1' }))

  it('5 is what the pool says, if it does', () => {
    assert.equal(releaseBootImage(on({ ...aws, aws: { ...aws.aws, ami: 'ami-9' } }), release, around), undefined)
    const own = { type: 'KubeVirt', kubevirt: { rootVolume: { diskImage: { containerDiskImage: 'disk-9' } } } } as const
    assert.equal(releaseBootImage(on(own), release, around), undefined)
  })

  it('14 is of the operating system that the pool asks for, or that its nodes have, or that the release has', () => {
    const several = releaseWith([disk('nine', 'rhel-9'), disk('ten', 'rhel-10')], '5.0.0')
    const imageFor = (pool: NodePool): unknown => releaseBootImage(pool, several, around)
    assert.deepEqual(imageFor(on(kubevirt)), { is: 'found', value: 'ten' })
    assert.deepEqual(releaseBootImage(on(kubevirt), several, { ...around, usesRunc: true }), { is: 'found', value: 'nine' })
    assert.deepEqual(imageFor(on(kubevirt, { osImageStream: { name: 'rhel-9' } })), { is: 'found', value: 'nine' })
    assert.deepEqual(imageFor({ ...on(kubevirt), status: { replicas: 0, osImageStream: { name: 'rhel-9' } } }), {
      is: 'found',
      value: 'nine',
    })
  })

  it('5 is asked of people where nobody knows it', () => {
    const problem = (pool: NodePool): string => {
      const image = releaseBootImage(pool, releaseWith([]), around)
      return image?.is === 'failed' ? image.problem : ''
    }
    assert.match(problem(on({ ...aws, aws: { ...aws.aws, imageType: 'Windows' } })), /Windows.*set spec\.platform\.aws\.ami$/)
    assert.match(problem(on({ type: 'PowerVS', powervs: {} })), /spec\.platform\.powervs\.image$/)
    assert.match(problem(on(kubevirt)), /has no image for KubeVirt.*containerDiskImage$/)
  })
})
