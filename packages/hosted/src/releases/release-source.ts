import type { Digest, ImageReference } from './pullspec/index.ts'
import type { ReleaseContents, ResolveOptions } from './release.ts'

/** Options of a look-up that several may be waiting for: the signal is that of the look-up, not that of one of them. */
export type LookupOptions = Omit<ResolveOptions, 'signal'> & { readonly signal: AbortSignal }

/**
 * Where releases come from, in two steps that a cache wants to know apart: what a tag means changes, what a digest means never does.
 *
 * # Errors
 *
 * As in `ReleaseResolver`.
 */
export interface ReleaseSource {
  /** Names all that an answer depends on: the image, the places where it is looked for, the credentials shown there. */
  keyOf(reference: ImageReference, options: ResolveOptions): string
  digestOf(reference: ImageReference, options: LookupOptions): Promise<Digest>
  read(reference: ImageReference, digest: Digest, options: LookupOptions): Promise<ReleaseContents>
}
