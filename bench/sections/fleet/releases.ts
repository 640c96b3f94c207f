import { sampleCatalogue } from '@windlass/hosted'

export interface Release {
  readonly version: string
  /** Its pullspec. */
  readonly image: string
}

interface Numbered extends Release {
  readonly minor: number
  readonly patch: number
}

/** Of 4.y, the newest patch first. */
function newestFirst(): readonly Numbered[] {
  const releases = sampleCatalogue().releases.flatMap(({ version, architecture, pullspecs: [image = ''] }) => {
    const [, minor, patch] = /^4\.(\d+)\.(\d+)$/.exec(version) ?? []
    return architecture === 'amd64' && minor !== undefined ? [{ version, image, minor: Number(minor), patch: Number(patch) }] : []
  })
  return releases.toSorted((a, b) => b.patch - a.patch)
}

/** From versions to what a cluster is upgraded to next: the newest of its minor; for one that has it, that of the next minor. Undefined for the newest of all. */
export function nextReleases(): (version: string) => Release | undefined {
  const releases = newestFirst()
  return (version) => {
    const [, minor = 0, patch = 0] = version.split('.').map(Number)
    const newer = releases.find((release) => release.minor === minor && release.patch > patch)
    return newer ?? releases.find((release) => release.minor === minor + 1)
  }
}

/** From versions to what nodes may still run beside such a control plane: the patch before it; for the first of a minor, the newest of the minor before. */
export function releasesBefore(): (version: string) => Release | undefined {
  const releases = newestFirst()
  return (version) => {
    const [, minor = 0, patch = 0] = version.split('.').map(Number)
    const older = releases.find((release) => release.minor === minor && release.patch < patch)
    return older ?? releases.find((release) => release.minor === minor - 1)
  }
}
