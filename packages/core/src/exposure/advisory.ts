import { compareVersions } from '../version/order.ts'
import { normalisedMinor, parseVersion, type Version } from '../version/version.ts'
import { parseStream } from '../version/stream.ts'

/** Where a vulnerability is fixed. */
export interface Advisory {
  /** The first fixed version of each minor, by the minor as it counts: a fix in 4.23 is one in 5.0. */
  readonly fixes: ReadonlyMap<number, Version>
  /** If given, nothing but these images counts as fixed. */
  readonly images?: readonly string[]
}

/** As people write it: `{ fixedIn: { '4.20': '4.20.1', '4.19': '4.19.19' } }`. */
export interface AdvisoryText {
  readonly fixedIn: Readonly<Record<string, string>>
  readonly images?: readonly string[]
}

/** Thrown when a fix is said to be in another minor than it is, or twice in one. */
export class InvalidAdvisoryError extends Error {
  override readonly name = 'InvalidAdvisoryError'
}

/**
 * Reads an advisory.
 *
 * Errors: InvalidAdvisoryError; InvalidStreamError, InvalidVersionError and UnsupportedMajorError for texts that are none.
 */
export function parseAdvisory({ fixedIn, images }: AdvisoryText): Advisory {
  const fixes = new Map<number, Version>()
  for (const [stream, text] of Object.entries(fixedIn)) {
    const minor = normalisedMinor(parseStream(stream))
    const fix = parseVersion(text)
    if (normalisedMinor(fix) !== minor) {
      throw new InvalidAdvisoryError(`the fix for ${stream} is given as ${text}, which is another minor: expected ${stream}.z`)
    }
    const other = fixes.get(minor)
    if (other !== undefined && compareVersions(other, fix) !== 0) {
      throw new InvalidAdvisoryError(
        `${stream} is fixed in ${text}, but the same minor is also said to be fixed in ${other.text}: keep one`,
      )
    }
    fixes.set(minor, fix)
  }
  return images === undefined ? { fixes } : { fixes, images }
}
