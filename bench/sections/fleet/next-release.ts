import { sampleCatalogue } from '@windlass/hosted'

export interface NextRelease {
  readonly version: string
  /** Its pullspec. */
  readonly image: string
}

/** From versions to what a cluster is upgraded to next: the newest of its minor; for one that has it, that of the next minor. Undefined for the newest of all. */
export function nextReleases(): (version: string) => NextRelease | undefined {
  const releases = sampleCatalogue().releases.flatMap(({ version, architecture, pullspecs: [image = ''] }) => {
    const [, minor, patch] = /^4\.(\d+)\.(\d+)$/.exec(version) ?? []
    return architecture === 'amd64' && minor !== undefined ? [{ version, image, minor: Number(minor), patch: Number(patch) }] : []
  })
  const newestFirst = releases.toSorted((a, b) => b.patch - a.patch)
  return (version) => {
    const [, minor = 0, patch = 0] = version.split('.').map(Number)
    const newer = newestFirst.find((release) => release.minor === minor && release.patch > patch)
    return newer ?? newestFirst.find((release) => release.minor === minor + 1)
  }
}
