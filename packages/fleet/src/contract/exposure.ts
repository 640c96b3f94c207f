import type { ClusterId } from './place.ts'

/** `Pending`: the fixed version is on its way, and older ones may still run. */
export type ExposureState = 'Fixed' | 'Pending' | 'Vulnerable' | 'Unknown'

/** Who is exposed to a vulnerability, by the versions that fix it. */
export interface ExposureView {
  readonly time: string
  /** The first fixed version of each minor, as asked. */
  readonly fixedIn: readonly string[]
  readonly counts: Readonly<Record<ExposureState, number>>
  /** Worst first (`Vulnerable`, `Unknown`, `Pending`, `Fixed`), then by id. */
  readonly clusters: readonly ClusterExposure[]
}

export interface ClusterExposure {
  readonly id: ClusterId
  /** The worst of its sides. */
  readonly state: ExposureState
  readonly controlPlane: SideExposure
  /** Of its nodes. */
  readonly dataPlane: SideExposure
  /** False while its member cannot be reached: the answer is about what was last known. */
  readonly isCurrent: boolean
}

export interface SideExposure {
  readonly state: ExposureState
  /** What the answer rests on, as a sentence: `4.19.12 may still run: the update to 4.19.19 is not completed`. */
  readonly evidence: string
  /** Versions that may still run. */
  readonly versions: readonly string[]
}
