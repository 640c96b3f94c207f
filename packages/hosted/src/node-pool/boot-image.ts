import type { NodePool } from '@windlass/api'
import { failed, found, type Lookup } from '../hosted-cluster/index.ts'
import type { Release } from '../releases/index.ts'

/** Names under which a release may have the image that virtual machines start from. */
const diskImages = ['rhel-coreos', 'machine-os-images'] as const

type Rule = (pool: NodePool, release: Release) => Lookup<string> | undefined

/** By platform; on the others machines start from what they have. */
const rules: Readonly<Record<string, Rule>> = {
  KubeVirt({ spec }, release) {
    if (spec.platform.kubevirt?.rootVolume.diskImage?.containerDiskImage !== undefined) return undefined
    const image = diskImages.map((name) => release.images.get(name)).find((each) => each !== undefined)
    return image === undefined ? failed(`release ${release.version} has no image named ${diskImages.join(' or ')}`) : found(image)
  },
  AWS({ spec }) {
    return spec.platform.aws?.ami === undefined ? failed('the AMIs of a release are not known here: set spec.platform.aws.ami') : undefined
  },
  PowerVS({ spec }) {
    return spec.platform.powervs?.image === undefined
      ? failed('the images of a release are not known here: set spec.platform.powervs.image')
      : undefined
  },
}

/**
 * The image that machines of a pool start from, by what its release has; undefined where the pool brings its own, and where none is needed.
 *
 * Caveat: which images a release has in a cloud stands in a part of its payload that is not read here. Pools on clouds name theirs.
 */
export function releaseBootImage(pool: NodePool, release: Release): Lookup<string> | undefined {
  return rules[pool.spec.platform.type]?.(pool, release)
}
