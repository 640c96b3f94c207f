import type { Client } from '@windlass/kube'
import type { ClassicParts, HostedParts } from '../answers/index.ts'
import type { ClusterId } from '../contract/index.ts'

/**
 * The objects of one cluster, as a cache holds them: fields that no answer needs are left out, also those that a kind's schema requires (see
 * `members/kinds.ts`). Read what else is needed by the member's client.
 */
export type ClusterObjects = HostedObjects | ClassicObjects

interface Everywhere {
  readonly id: ClusterId
  readonly member: string
  /** Of the member's API. */
  readonly client: Client
  /** False while the member cannot be reached: the objects are as they were last known. */
  readonly isCurrent: boolean
  /** Of kinds that are not known, why. */
  readonly unread: readonly string[]
}

/** Components and pools are by name. */
export interface HostedObjects extends Everywhere, HostedParts {
  readonly kind: 'Hosted'
  /** Where its control plane is. */
  readonly controlPlaneNamespace: string
}

/** Operators and pools are by name. */
export interface ClassicObjects extends Everywhere, Omit<ClassicParts, 'versionOf' | 'operatorProgress' | 'poolProgress'> {
  readonly kind: 'Classic'
}
