import type { HostedCluster, NodePool } from '@windlass/api'
import { tryParseVersion } from '@windlass/core'
import { failed, found, type Lookup } from '../hosted-cluster/index.ts'
import type { BootImage, Release } from '../releases/index.ts'
import { bootStream } from './config/index.ts'

/** Names under which a catalogue may have the image that virtual machines start from. */
const diskImages = ['rhel-coreos', 'machine-os-images'] as const

/** How a release names processors. */
const architectures: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64' }

/** What else counts for the image of a machine. */
export interface BootSurroundings {
  readonly cluster: HostedCluster
  /** Newer operating systems have no runc. */
  readonly usesRunc: boolean
}

type Rule = (pool: NodePool, release: Release, surroundings: BootSurroundings) => Lookup<string> | undefined

/** By platform; on the others machines start from what they have. */
const rules: Readonly<Record<string, Rule>> = {
  KubeVirt(pool, release, { usesRunc }) {
    if (pool.spec.platform.kubevirt?.rootVolume.diskImage?.containerDiskImage !== undefined) return undefined
    const remedy = 'spec.platform.kubevirt.rootVolume.diskImage.containerDiskImage'
    if (release.bootImages !== undefined) return imageOf(pool, release, { platform: 'KubeVirt', usesRunc, remedy })
    const image = diskImages.map((name) => release.images.get(name)).find((each) => each !== undefined)
    return image === undefined
      ? failed(`release ${release.version} has no image named ${diskImages.join(' or ')}; set ${remedy}`)
      : found(image)
  },
  AWS(pool, release, { cluster, usesRunc }) {
    const { ami, imageType } = pool.spec.platform.aws ?? {}
    if (ami) return undefined
    const remedy = 'spec.platform.aws.ami'
    if (imageType === 'Windows') return failed(`AMIs with Windows are not known here: set ${remedy}`)
    const region = cluster.spec.platform.aws?.region ?? ''
    return imageOf(pool, release, { platform: 'AWS', region, usesRunc, remedy })
  },
  PowerVS({ spec }) {
    const remedy = 'import one into the workspace, and name it in spec.platform.powervs.image'
    return spec.platform.powervs?.image === undefined
      ? failed(`images of a release are not brought to Power Virtual Server: ${remedy}`)
      : undefined
  },
}

/** The image that machines of a pool start from, by what its release has; undefined where the pool brings its own, and where none is needed. */
export function releaseBootImage(pool: NodePool, release: Release, surroundings: BootSurroundings): Lookup<string> | undefined {
  return rules[pool.spec.platform.type]?.(pool, release, surroundings)
}

interface Question extends Pick<BootImage, 'platform' | 'region'> {
  readonly usesRunc: boolean
  /** What people can set instead. */
  readonly remedy: string
}

/** A release with several operating systems has images of each by name; one with a single one does not name it. */
function imageOf(pool: NodePool, { version, bootImages = [] }: Release, { platform, region, usesRunc, remedy }: Question): Lookup<string> {
  const parsed = tryParseVersion(version)
  if (parsed === undefined) return failed(`the release says that it is "${version}", which is no version`)
  const { arch = 'amd64' } = pool.spec
  const named = bootStream(pool, parsed, usesRunc, true)
  const stream = bootImages.some((each) => each.stream !== '') ? named : ''
  const architecture = architectures[arch] ?? arch
  const image = bootImages.find(
    (each) => each.platform === platform && each.stream === stream && each.architecture === architecture && each.region === region,
  )
  if (image !== undefined) return found(image.image)
  const place = region === undefined ? '' : ` in region ${region}`
  return failed(`release ${version} has no image for ${platform}${place} with processor ${arch} and ${named}; set ${remedy}`)
}
