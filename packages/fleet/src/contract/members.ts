/**
 * A Kubernetes API that the fleet is read from: a management cluster with hosted clusters, a classic cluster, or both in one.
 *
 * `Unreachable` keeps what was last known of its clusters: they are shown as not known to be current, never as gone. A member that has never answered has no
 * clusters *known*, which is not the same as none.
 */
export interface MemberView {
  /** The context of the kubeconfig. */
  readonly name: string
  readonly state: 'Connecting' | 'Synced' | 'Unreachable'
  /** Since when it is in this state. */
  readonly since: string
  /** What went wrong, in a sentence with a remedy. */
  readonly message?: string
  /** Its user may not read all that tells of clusters and their nodes: some may be missing, and some of what is shown is not known. `message` says what. */
  readonly isPartial?: true
  /** The last moment at which everything that was known of it was current. Left out if it has never been. */
  readonly lastSynced?: string
  /** Clusters that are known of it. */
  readonly clusters: number
}
