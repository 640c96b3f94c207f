import type { Digest, Pullspec } from '../pullspec/index.ts'
import type { ReleaseContents } from '../release.ts'

/** A release and the names that it is known by. */
export interface CatalogueRelease extends ReleaseContents {
  /** The first is the usual one. */
  readonly pullspecs: readonly Pullspec[]
  readonly digest: Digest | undefined
  /** Channels that have it, either to be updated to or to be updated from: `stable-4.20`. */
  readonly channels: readonly string[]
}

/** Updates that are only recommended to clusters that a risk does not concern. */
export interface ConditionalUpdate {
  readonly from: readonly string[]
  readonly to: string
  readonly risks: readonly Risk[]
}

export interface Risk {
  readonly name: string
  readonly message: string
  readonly url: string
}

export interface Catalogue {
  /** Names it in messages: where it came from. */
  readonly name: string
  /** Oldest version first. */
  readonly releases: readonly CatalogueRelease[]
  readonly conditionalUpdates: readonly ConditionalUpdate[]
}
