import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'

/** Who leads, and until when unless they say so again. Times have microseconds. */
export interface Lease {
  readonly apiVersion: 'coordination.k8s.io/v1'
  readonly kind: 'Lease'
  readonly metadata: ObjectMeta
  readonly spec?: {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly acquireTime?: string
    readonly renewTime?: string
    readonly leaseTransitions?: number
  }
  readonly status?: never
}

export const Lease = builtin<Lease>({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases' })
