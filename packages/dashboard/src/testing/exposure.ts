import { type Advisory, exposure, parseAdvisory } from '@windlass/core'
import type { ClusterExposure, ClusterRow, ExposureState, ExposureView, SideExposure, SideView } from '@windlass/fleet/contract'
import { exposureStates } from '../words/index.ts'

/** By the rule, from what rows say: less than a real server knows. */
export function exposureOf(rows: readonly ClusterRow[], fixedIn: readonly string[], time: string): ExposureView {
  const advisory = parseAdvisory({ fixedIn: Object.fromEntries(fixedIn.map((version) => [version.split('.', 2).join('.'), version])) })
  const clusters = rows.map((row): ClusterExposure => {
    const controlPlane = sideOf(row.controlPlane, advisory)
    const dataPlane = sideOf(row.dataPlane, advisory)
    const state = exposureStates.find((each) => each === controlPlane.state || each === dataPlane.state) ?? 'Unknown'
    return { id: row.id, state, controlPlane, dataPlane, isCurrent: row.isCurrent }
  })
  const order = (state: ExposureState): number => exposureStates.indexOf(state)
  const counts = Object.fromEntries(exposureStates.map((state) => [state, clusters.filter((each) => each.state === state).length]))
  return {
    time,
    fixedIn,
    counts: counts as Record<ExposureState, number>,
    clusters: clusters.toSorted((a, b) => order(a.state) - order(b.state) || (a.id < b.id ? -1 : 1)),
  }
}

function sideOf({ version, desired, state, activeVersions }: SideView, advisory: Advisory): SideExposure {
  const completed = version === undefined ? [] : [{ state: 'Completed', version }]
  const underWay = state === 'Completed' || desired === undefined ? [] : [{ state: 'Partial', version: desired }]
  const { status, reason } = exposure({ history: [...underWay, ...completed] }, advisory)
  return { state: status, evidence: reason, versions: activeVersions }
}
