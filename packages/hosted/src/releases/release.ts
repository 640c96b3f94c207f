import type { Mirrors } from './mirrors/index.ts'
import type { Digest, Pullspec } from './pullspec/index.ts'
import type { PullSecret } from './registry/index.ts'

/** What a release payload says, whatever name it was found under. */
export interface ReleaseContents {
  readonly version: string
  /** `amd64`, `arm64`, …; `multi` when there is an image for each of several. */
  readonly architecture: string
  /** Component images by the name that manifests call them by: `etcd`, `hyperkube`. */
  readonly images: ReadonlyMap<string, Pullspec>
  readonly metadata: ReleaseMetadata
  /** What machines start from. Not there when the resolver cannot know: a catalogue says nothing about it. */
  readonly bootImages?: readonly BootImage[]
}

/** An image that a machine can start from before it has any configuration. */
export interface BootImage {
  /** The operating system, as in `rhel-9`; empty for the usual one of the release. */
  readonly stream: string
  /** `x86_64`, `aarch64`, … */
  readonly architecture: string
  readonly platform: 'AWS' | 'KubeVirt'
  readonly region?: string
  /** The id of an AMI, or the pullspec of a container disk. */
  readonly image: string
}

/** What else a release says about itself. */
export interface ReleaseMetadata {
  /** Versions from which a cluster may be updated to this one. */
  readonly previous: readonly string[]
  /** Where people read about it. */
  readonly url: string | undefined
}

/** A release that was asked for by a pullspec. */
export interface Release extends ReleaseContents {
  /** As it was asked for. */
  readonly pullspec: Pullspec
  /** Of the manifest, or of the list of manifests. Undefined when the resolver cannot know: a catalogue entry without one. */
  readonly digest: Digest | undefined
  /**
   * What to record: the repository that was asked for (never a mirror) and the digest. The pullspec as it was where there is no
   * digest.
   */
  readonly image: Pullspec
}

export interface ResolveOptions {
  /** For registries that want credentials. */
  readonly pullSecret?: PullSecret
  /** Instead of those that the resolver was made with: a hosted cluster may have mirrors of its own. */
  readonly mirrors?: Mirrors
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * From a pullspec to a release.
 *
 * The answer is one value: whoever takes version, digest and images from it cannot mix two states of a tag.
 *
 * # Errors
 *
 * A `ReleaseError`: `ReleaseNotFoundError`, `ReleaseUnauthorizedError`, `ReleaseInvalidError`, which stay until somebody does something about them, or
 * `RegistryUnreachableError`, which may pass by itself. The signal's reason when it is aborted.
 */
export interface ReleaseResolver {
  resolve(pullspec: string, options?: ResolveOptions): Promise<Release>
}

/** What the status of a hosted cluster calls an architecture. */
export type PayloadArch = 'Multi' | 'AMD64' | 'ARM64' | 'PPC64LE' | 'S390X'

const payloadArchs: ReadonlyMap<string, PayloadArch> = new Map([
  ['multi', 'Multi'],
  ['amd64', 'AMD64'],
  ['arm64', 'ARM64'],
  ['ppc64le', 'PPC64LE'],
  ['s390x', 'S390X'],
])

/** Undefined for an architecture that hosted clusters do not run on. */
export function payloadArch({ architecture }: Pick<ReleaseContents, 'architecture'>): PayloadArch | undefined {
  return payloadArchs.get(architecture)
}
