import type { ClusterRow, FleetChange, FleetView } from '../contract/index.ts'

/** A row is written once and sent many times: rows are immutable, and one that has changed is another object. */
const texts = new WeakMap<ClusterRow, string>()

function rowText(row: ClusterRow): string {
  const known = texts.get(row)
  if (known !== undefined) return known
  const text = JSON.stringify(row)
  texts.set(row, text)
  return text
}

/** As JSON. Ten thousand rows of which none is new take some milliseconds. */
export function fleetText(view: FleetView): string {
  return withRows(view)
}

export function changeText(change: FleetChange): string {
  return withRows(change)
}

function withRows({ clusters, ...rest }: FleetView | FleetChange): string {
  return `${JSON.stringify(rest).slice(0, -1)},"clusters":[${clusters.map(rowText).join(',')}]}`
}
