import type { MemberView } from './members.ts'
import type { ClusterId } from './place.ts'

/** How a cluster is getting on, worst first: the order in which people want to see them. */
export type Attention = 'Stalled' | 'Failing' | 'Unknown' | 'Upgrading' | 'Installing' | 'Deleting' | 'Paused' | 'Steady'

/** One side of a cluster: its control plane, or its data plane. */
export interface SideView {
  /** What runs for sure: the newest version that was completed. */
  readonly version?: string
  /** What it is to run. The same as `version` when nothing is under way. */
  readonly desired?: string
  readonly state: 'Unknown' | 'Completed' | 'Paused' | 'Stalled' | 'Progressing'
  /** When the update that is under way, or was the last, began; and when it ended. */
  readonly startedTime?: string
  readonly completionTime?: string
  /** Every version that may still run there, newest entry first. More than one while an update is under way. */
  readonly activeVersions: readonly string[]
}

/** What can be seen of a cluster in one row. */
export interface ClusterRow {
  readonly id: ClusterId
  readonly member: string
  /** Left out for classic clusters. */
  readonly namespace?: string
  readonly name: string
  readonly kind: 'Hosted' | 'Classic'
  readonly platform?: string
  readonly createdTime?: string
  readonly attention: Attention
  /** The sentence that explains `attention`: what it waits for, what failed. Left out when there is nothing to say. */
  readonly summary?: string
  readonly controlPlane: SideView
  readonly dataPlane: SideView
  readonly nodes: NodeCount
  /** Parts of the control plane that are at the version that it is to run, of all parts. Left out where none are known. */
  readonly progress?: Progress
  /** When the update will be done, by what updates like it took; left out when nothing is under way or nothing is known. */
  readonly estimatedEnd?: string
  /** The worst verdict of its pools. */
  readonly skew: SkewVerdict
  /** False while its member cannot be reached: everything here is as it was last known. */
  readonly isCurrent: boolean
}

export interface NodeCount {
  readonly wanted: number
  readonly ready: number
  /** Nodes by version; nodes of pools that have not said are under the empty text. */
  readonly versions: readonly VersionCount[]
  /** Why nobody knows them all; the figures are what is known. */
  readonly unknownBecause?: string
}

export interface Progress {
  readonly done: number
  readonly total: number
}

/** `AtLimit`: allowed now, and in the way of the next minor of the control plane. */
export type SkewVerdict = 'Allowed' | 'AtLimit' | 'Violated' | 'Unknown'

export interface VersionCount {
  readonly version: string
  readonly count: number
}

/** The figures that matter first. Each counts clusters, unless it says otherwise. */
export interface FleetFigures {
  readonly clusters: number
  readonly attention: Readonly<Record<Attention, number>>
  readonly nodes: number
  readonly skew: Readonly<Record<SkewVerdict, number>>
  /** By the version that runs for sure; the empty text for clusters of which none is known. Newest first. */
  readonly controlPlaneVersions: readonly VersionCount[]
  readonly dataPlaneVersions: readonly VersionCount[]
  /** Nodes, not clusters. */
  readonly nodeVersions: readonly VersionCount[]
}

/** The whole fleet at one moment. */
export interface FleetView {
  readonly time: string
  readonly members: readonly MemberView[]
  readonly figures: FleetFigures
  /** By id. */
  readonly clusters: readonly ClusterRow[]
}
