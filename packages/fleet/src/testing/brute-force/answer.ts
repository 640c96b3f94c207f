import type { Attention, ExposureState, SideView, SkewVerdict } from '../../contract/index.ts'

/** What is asked about one cluster. Versions that are not known are empty. */
export interface Answer {
  readonly controlPlane: { readonly state: SideView['state']; readonly version: string }
  readonly dataPlane: { readonly state: SideView['state']; readonly version: string }
  readonly attention: Attention
  readonly skew: SkewVerdict
  readonly wanted: number
  readonly ready: number
  readonly nodes: Readonly<Record<string, number>>
  readonly exposure: { readonly controlPlane: ExposureState; readonly dataPlane: ExposureState; readonly state: ExposureState }
}
