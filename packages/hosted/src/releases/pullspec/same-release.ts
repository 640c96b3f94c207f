/** A release as a history has it: either part may be missing. */
export interface NamedRelease {
  readonly version: string
  readonly image: string
}

/** Whatever comes after the `@`: stored histories are compared as they are, not judged. */
const digestPart = /@([A-Za-z0-9_+.-]+:[0-9A-Za-z]+)$/

/**
 * Whether two pullspecs are known to be the same image: equal digests wherever they are kept, or else equal texts.
 *
 * Registry and repository do not count beside a digest, so that a mirror that comes or goes is no change.
 */
export function sameImage(one: string, other: string): boolean {
  const digest = digestPart.exec(one)?.[1]
  const otherDigest = digestPart.exec(other)?.[1]
  return digest !== undefined && otherDigest !== undefined ? digest === otherDigest : one === other
}

/**
 * Whether what was recorded is the release that is wanted now. A missing part of the one is no difference; that an image changed under the
 * same version is.
 */
export function sameRelease(recorded: NamedRelease, wanted: NamedRelease): boolean {
  const lacksVersion = recorded.version === '' || wanted.version === ''
  const lacksImage = recorded.image === '' || wanted.image === ''
  if (lacksVersion && lacksImage) return false
  const isSameVersion = lacksVersion || recorded.version === wanted.version
  return isSameVersion && (lacksImage || sameImage(recorded.image, wanted.image))
}
