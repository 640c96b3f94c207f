/** What a control plane runs or should run: the name for people, and the image that it really is. Empty means not known. */
export interface Release {
  readonly version: string
  readonly image: string
}

/** The fingerprint of an image, the same on every registry that holds it: `sha256:…`. */
export type Digest = `${string}:${string}`

const digest = /^[A-Za-z][A-Za-z0-9+._-]*:[0-9a-fA-F]+$/

/** The digest that a pullspec ends with; undefined for one that names a tag, which may point elsewhere tomorrow. */
export function digestOf(image: string): Digest | undefined {
  const at = image.lastIndexOf('@')
  if (at < 0) return undefined
  const text = image.slice(at + 1)
  return isDigest(text) ? text : undefined
}

function isDigest(text: string): text is Digest {
  return digest.test(text)
}

/**
 * Whether two pullspecs are one image for certain: equal as they are written, or by digest. A mirror serves the same digest under
 * another name, hence the registry and the repository play no part.
 *
 * Caveat: a tag and a digest are never the same, even while the tag points to it. Unknown images are not the same either.
 */
export function isSameImage(a: string, b: string): boolean {
  if (a === b) return a !== ''
  const digest = digestOf(a)
  return digest !== undefined && digest === digestOf(b)
}

/**
 * Whether two releases are one: a rebuild under the same version is another release, and so is the same image under another version.
 * What one side does not know is taken from the other, if the rest is equal: `{ '', A }` and `{ 4.20.1, A }` are the same.
 */
export function isSameRelease(a: Release, b: Release): boolean {
  const isImageSame = isSameImage(a.image, b.image)
  if (a.version !== '' && a.version === b.version) return isImageSame || a.image === '' || b.image === ''
  return isImageSame && (a.version === '' || b.version === '')
}
