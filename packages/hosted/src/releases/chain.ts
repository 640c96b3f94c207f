import { RegistryUnreachableError, ReleaseNotFoundError } from './errors.ts'
import type { Release, ReleaseResolver } from './release.ts'

/**
 * Asks one resolver after the other: the next one when the one before does not have the release or cannot be reached. Any other failure is the
 * answer, so that a wrong password is not papered over.
 *
 * Caveat: when an earlier one has its ups and downs and a later one gives other digests, a tag seems to move. Put the one first whose word counts,
 * and let later ones have what it has not.
 */
export function chainedResolver(resolvers: readonly ReleaseResolver[]): ReleaseResolver {
  return {
    async resolve(pullspec, options): Promise<Release> {
      const failures: (ReleaseNotFoundError | RegistryUnreachableError)[] = []
      for (const resolver of resolvers) {
        try {
          return await resolver.resolve(pullspec, options)
        } catch (error) {
          if (!(error instanceof ReleaseNotFoundError || error instanceof RegistryUnreachableError)) throw error
          failures.push(error)
        }
      }
      // Whoever could not be asked may have it: "unknown" outweighs "no".
      throw failures.find((error) => error.isTransient) ?? failures.at(-1) ?? new ReleaseNotFoundError(pullspec, 'there is nobody to ask')
    },
  }
}
