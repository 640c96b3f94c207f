import type { ClusterId, ObjectPlace } from './place.ts'

/** Why a cluster waits. */
export interface WhyView {
  readonly time: string
  readonly id: ClusterId
  /** One sentence for the whole: `The upgrade to 4.20.3 has waited for 1h12m for kube-apiserver: its image cannot be pulled.` */
  readonly verdict: string
  /** The chains, the most likely root first. Empty when the cluster waits for nothing. */
  readonly chains: readonly CauseChain[]
  /** What could not be looked at, and why: an answer that does not mention it would pretend to know. */
  readonly unknown: readonly string[]
}

/** From the cluster down to the object at the root: each link waits for the next. */
export interface CauseChain {
  readonly links: readonly CauseLink[]
  /** What to do about the last link. */
  readonly remedy?: string
  /** A command that shows the root, or does something about it. */
  readonly command?: string
}

export interface CauseLink {
  readonly object: ObjectPlace
  /** What is the matter with it, as a sentence. */
  readonly says: string
  /** A machine's word for it: the reason of a condition, of a waiting container. */
  readonly reason?: string
  readonly since?: string
}
