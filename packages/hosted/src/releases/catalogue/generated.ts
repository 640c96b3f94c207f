import { seededRandom } from '@windlass/core'
import type { Digest, Pullspec } from '../pullspec/index.ts'

/** How tags call architectures. */
const suffixes: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64' }

export function tagOf(version: string, architecture: string): string {
  return `${version}-${suffixes[architecture] ?? architecture}`
}

/** A digest that is always the same for one version and never that of another. There is no image behind it. */
export function generatedDigest(version: string, architecture: string): Digest {
  return digestFrom(architecture === 'amd64' ? `release ${version}` : `release ${version} ${architecture}`)
}

/** Component images by the same rule, in a repository that is known to be one. */
export function generatedImages(
  repository: string,
  components: readonly string[],
  version: string,
  architecture: string,
): ReadonlyMap<string, Pullspec> {
  return new Map(components.map((name) => [name, `${repository}@${digestFrom(`release ${version} ${architecture} ${name}`)}` as Pullspec]))
}

function digestFrom(seed: string): Digest {
  return `sha256:${Buffer.from(seededRandom(seed).bytes(32)).toString('hex')}` as Digest
}
