import { ReleaseInvalidError } from './errors.ts'
import { type ImageReference, InvalidPullspecError, parsePullspec } from './pullspec/index.ts'

/** Takes apart a pullspec that a release is asked for by. Errors: `ReleaseInvalidError`. */
export function referenceTo(pullspec: string): ImageReference {
  try {
    return parsePullspec(pullspec)
  } catch (error) {
    if (error instanceof InvalidPullspecError)
      throw new ReleaseInvalidError(pullspec, `this does not name an image: ${error.problem}`, { cause: error })
    throw error
  }
}
