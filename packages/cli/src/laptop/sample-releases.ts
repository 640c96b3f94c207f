import type { Catalogue, CatalogueRelease } from '@windlass/hosted'
import type { SampleReleases } from './fleet-objects.ts'

/** The releases of a catalogue by their versions, as people on ordinary machines name them. */
export function sampleReleases({ name, releases }: Catalogue): SampleReleases {
  const find = (version: string): CatalogueRelease => {
    const found = releases.find((release) => release.version === version && release.architecture === 'amd64')
    if (found === undefined) throw new Error(`the catalogue ${name} has no release ${version} for amd64`)
    return found
  }
  return {
    pullspec: (version) => find(version).pullspecs[0] ?? '',
    image: (version, component) => find(version).images.get(component) ?? '',
  }
}
