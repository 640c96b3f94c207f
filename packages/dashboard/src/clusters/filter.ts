import type { ClusterRow } from '@windlass/fleet/contract'
import type { FleetQuery, Side, VersionFilter } from '../address/fleet-query.ts'
import { minorOf } from '../versions/minor.ts'

/** What is searched in, in small letters. Rows are never changed, so that the text of one is made once. */
const texts = new WeakMap<ClusterRow, string>()

function textOf(row: ClusterRow): string {
  let text = texts.get(row)
  if (text === undefined) {
    const { id, platform, kind, attention, summary, controlPlane, dataPlane } = row
    const versions = [controlPlane.version, controlPlane.desired, dataPlane.version, dataPlane.desired]
    text = [id, platform, kind, attention, summary, ...versions].join('\n').toLowerCase()
    texts.set(row, text)
  }
  return text
}

/** Whether a row is among those that were asked for. */
export function matcherOf(query: FleetQuery): (row: ClusterRow) => boolean {
  const words = query.search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const { attention, members, skew, version, lastKnownOnly } = query
  return (row) =>
    (attention.length === 0 || attention.includes(row.attention)) &&
    (members.length === 0 || members.includes(row.member)) &&
    (skew.length === 0 || skew.includes(row.skew)) &&
    (!lastKnownOnly || !row.isCurrent) &&
    (version === undefined || runs(row, version)) &&
    words.every((word) => textOf(row).includes(word))
}

/** By what runs for sure, as the chart counts it. */
const versionsOf: Readonly<Record<Side, (row: ClusterRow) => readonly string[]>> = {
  'control-plane': ({ controlPlane }) => [controlPlane.version ?? ''],
  'data-plane': ({ dataPlane }) => [dataPlane.version ?? ''],
  nodes: ({ nodes }) => nodes.versions.filter(({ count }) => count > 0).map(({ version }) => version),
}

function runs(row: ClusterRow, { side, version }: VersionFilter): boolean {
  return versionsOf[side](row).some((text) => minorOf(text) === version || (version !== '' && text === version))
}
