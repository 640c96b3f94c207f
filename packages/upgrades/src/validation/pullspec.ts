/** A release image by digest, taken apart. */
export interface Pullspec {
  readonly registry: string
  readonly repository: string
  readonly digest: string
}

const byDigest = /^([a-zA-Z0-9.-]+(?::\d+)?)\/([a-z0-9._-]+(?:\/[a-z0-9._-]+)+)@(sha256:[a-f0-9]{64})$/

/** Undefined unless registry, namespace, name and digest are all there. */
export function parsePullspec(image: string): Pullspec | undefined {
  const match = byDigest.exec(image)
  const [, registry, repository, digest] = match ?? []
  return registry === undefined || repository === undefined || digest === undefined ? undefined : { registry, repository, digest }
}

/** Where the manifest of an image is. */
export function manifestUrl({ registry, repository }: Pullspec, digest: string): string {
  return `https://${registry}/v2/${repository}/manifests/${digest}`
}

/** Where its configuration is, which carries the labels. */
export function blobUrl({ registry, repository }: Pullspec, digest: string): string {
  return `https://${registry}/v2/${repository}/blobs/${digest}`
}

/** What we can read: an image, or a list of images for several architectures, in the words of Docker and of OCI. */
export const acceptedManifests = [
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.index.v1+json',
].join(', ')

export type ManifestStep =
  /** The digest of the manifest for one architecture. */
  | { readonly is: 'manifest'; readonly digest: string }
  | { readonly is: 'config'; readonly digest: string }
  | { readonly is: 'unreadable'; readonly problem: string }

/** Where a manifest leads: to the configuration of the image, or, from a list, to the image of this architecture. */
export function readManifest(manifest: unknown, architecture: string): ManifestStep {
  const config = digestOf(fieldOf(manifest, 'config'))
  if (config !== undefined) return { is: 'config', digest: config }
  const images = fieldOf(manifest, 'manifests')
  if (!Array.isArray(images)) return { is: 'unreadable', problem: 'it is neither an image nor a list of images' }
  const image: unknown = images.find((candidate) => fieldOf(fieldOf(candidate, 'platform'), 'architecture') === architecture)
  const digest = digestOf(image)
  if (digest === undefined) return { is: 'unreadable', problem: `it holds no image for ${architecture}` }
  return { is: 'manifest', digest }
}

/** The version that a release image says it is. */
export function versionLabel(imageConfig: unknown): string | undefined {
  const label = fieldOf(fieldOf(fieldOf(imageConfig, 'config'), 'Labels'), 'io.openshift.release')
  return typeof label === 'string' && label !== '' ? label : undefined
}

function digestOf(value: unknown): string | undefined {
  const digest = fieldOf(value, 'digest')
  return typeof digest === 'string' && /^sha256:[a-f0-9]{64}$/.test(digest) ? digest : undefined
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}
