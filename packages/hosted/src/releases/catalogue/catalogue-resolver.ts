import { ReleaseNotFoundError } from '../errors.ts'
import { LruMap } from '../lru-map.ts'
import { atDigest, canonicalPullspec, parsePullspec } from '../pullspec/index.ts'
import { referenceTo } from '../reference.ts'
import type { Release, ReleaseResolver } from '../release.ts'
import type { Catalogue, CatalogueRelease } from './catalogue.ts'

const answersKept = 4096

/**
 * Releases of a catalogue, and no others. A digest finds its release wherever it is said to be; else the pullspec must be one of those that the
 * release lists.
 */
export function catalogueResolver(catalogue: Catalogue): ReleaseResolver {
  const byName = new Map<string, CatalogueRelease>()
  for (const release of catalogue.releases) {
    if (release.digest !== undefined) byName.set(release.digest, release)
    for (const pullspec of release.pullspecs) byName.set(canonicalPullspec(parsePullspec(pullspec)), release)
  }
  const answers = new LruMap<string, Release>(answersKept)
  return {
    async resolve(pullspec, options) {
      options?.signal?.throwIfAborted()
      const known = answers.get(pullspec)
      if (known !== undefined) return known
      const reference = referenceTo(pullspec)
      const found = byName.get(reference.digest ?? canonicalPullspec(reference))
      if (found === undefined) throw new ReleaseNotFoundError(pullspec, absence(catalogue))
      const digest = reference.digest ?? found.digest
      const { version, architecture, images, metadata } = found
      const image = digest === undefined ? reference.text : atDigest(reference, digest)
      const release: Release = { pullspec: reference.text, version, digest, image, architecture, images, metadata }
      answers.set(pullspec, release)
      return release
    },
  }
}

function absence({ name, releases }: Catalogue): string {
  const [first] = releases
  const last = releases.at(-1)
  if (first === undefined || last === undefined) return `the catalogue ${name} has no releases at all. Add it there.`
  return (
    `it is not among the ${releases.length} releases of the catalogue ${name}, which has ${first.version} to ${last.version} ` +
    `under names like ${first.pullspecs[0] ?? first.digest ?? ''}. Name one of those, or add it there.`
  )
}
