import type { ClusterExposure, ExposureView } from '@windlass/fleet/contract'

const headings = ['cluster', 'state', 'control plane', 'control plane evidence', 'data plane', 'data plane evidence', 'current']

/** The rows that are shown, for a spreadsheet. */
export function exposureCsv(clusters: readonly ClusterExposure[]): string {
  const rows = clusters.map(({ id, state, controlPlane, dataPlane, isCurrent }) => [
    id,
    state,
    controlPlane.state,
    controlPlane.evidence,
    dataPlane.state,
    dataPlane.evidence,
    isCurrent ? 'yes' : 'no',
  ])
  return [headings, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

/** The answer with the rows that are shown. Counts are those of the whole fleet: they say how much is left out. */
export function exposureJson(view: ExposureView, clusters: readonly ClusterExposure[]): string {
  return `${JSON.stringify({ ...view, clusters }, undefined, 2)}\n`
}

/** Quoted where it must be. A text that a spreadsheet would take for a formula is made plain text: names come from whoever may create a cluster. */
function cellOf(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
