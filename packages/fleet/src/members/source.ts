import type { Client } from '@windlass/kube'

/** Where a member comes from. */
export interface MemberSource {
  /** Unique in a fleet; no slash in it, because ids of clusters are made with it. */
  readonly name: string
  /**
   * Makes a client. Called again when the member could not be asked at all, so that credentials that were renewed are read again. What it throws is what people read as
   * the reason why the member cannot be reached.
   */
  connect(): Client | Promise<Client>
  /** Whether clients are closed when they are not needed any more; true unless told. False for a client that others use too. */
  readonly closes?: boolean
}
