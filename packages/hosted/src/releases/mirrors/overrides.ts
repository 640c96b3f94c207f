import { asPullspec, type Pullspec } from '../pullspec/index.ts'
import type { Release, ReleaseResolver } from '../release.ts'
import { coveredLength } from './scope.ts'

/** From where images are taken instead: `example.com/ocp` to `mirror.example.org/ocp`. */
export type RegistryOverrides = ReadonlyMap<string, string>

/**
 * A release whose component images are named where the management cluster has them. The first override that covers an image counts. The release's
 * own name stays: it is what gets recorded, and a mirror must never be.
 *
 * Returns the release itself when no image changes.
 */
export function withOverrides(release: Release, overrides: RegistryOverrides): Release {
  const images = new Map([...release.images].map(([component, image]) => [component, overridden(image, overrides)]))
  const isSame = release.images.entries().every(([component, image]) => images.get(component) === image)
  return isSame ? release : { ...release, images }
}

/**
 * Resolves like `resolver`, with overrides. For releases of control planes only: what runs in a guest cluster is pulled by its
 * nodes, which know nothing of the management cluster's registries.
 */
export function overriding(resolver: ReleaseResolver, overrides: RegistryOverrides): ReleaseResolver {
  if (overrides.size === 0) return resolver
  // The same release is asked for again and again, and its images must stay the same objects for whoever compares them.
  const known = new WeakMap<Release['images'], Release['images']>()
  return {
    async resolve(pullspec, options) {
      const release = await resolver.resolve(pullspec, options)
      const images = known.get(release.images)
      if (images !== undefined) return images === release.images ? release : { ...release, images }
      const changed = withOverrides(release, overrides)
      known.set(release.images, changed.images)
      return changed
    },
  }
}

function overridden(image: Pullspec, overrides: RegistryOverrides): Pullspec {
  const name = image.replace(/@.*$/, '').replace(/:[^/:]*$/, '')
  for (const [source, replacement] of overrides) {
    const length = coveredLength(source, name)
    if (length > 0) return asPullspec(`${replacement}${image.slice(length)}`, 'registry override')
  }
  return image
}
