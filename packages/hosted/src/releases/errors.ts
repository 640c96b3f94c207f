/** Why a pullspec has no release. The message names the pullspec, what was wrong, and what to do. */
export abstract class ReleaseError extends Error {
  readonly pullspec: string
  /** Whether trying again later can help though nobody does anything. */
  abstract readonly isTransient: boolean

  constructor(pullspec: string, problem: string, options?: ErrorOptions) {
    super(`release image ${pullspec}: ${problem}`, options)
    this.pullspec = pullspec
  }
}

/** Thrown when everybody who was asked says that there is no such image. */
export class ReleaseNotFoundError extends ReleaseError {
  override readonly name = 'ReleaseNotFoundError'
  override readonly isTransient = false
}

/** Thrown when a registry wants other credentials than it got. */
export class ReleaseUnauthorizedError extends ReleaseError {
  override readonly name = 'ReleaseUnauthorizedError'
  override readonly isTransient = false
}

/** Thrown when the pullspec names no image, or the image is no release, or its bytes are not the ones that its digest names. */
export class ReleaseInvalidError extends ReleaseError {
  override readonly name = 'ReleaseInvalidError'
  override readonly isTransient = false
}

/**
 * Thrown when a registry did not answer, or asked to be left alone for a while: whether the release exists is unknown.
 *
 * With mirrors, this is also the answer when one of several places could not be reached and the others do not have the image.
 */
export class RegistryUnreachableError extends ReleaseError {
  override readonly name = 'RegistryUnreachableError'
  override readonly isTransient = true
  /** Milliseconds that the registry asked to wait. */
  readonly retryAfter: number | undefined

  constructor(pullspec: string, problem: string, options: ErrorOptions & { readonly retryAfter?: number | undefined } = {}) {
    super(pullspec, problem, options)
    this.retryAfter = options.retryAfter
  }
}
