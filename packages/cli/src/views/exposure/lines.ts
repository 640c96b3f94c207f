import type { ClusterExposure, ExposureState, ExposureView } from '@windlass/fleet'
import { type Colour, type Paint, plain } from '../colours.ts'
import { withoutMember } from '../fleet/find.ts'
import { type Cell, tableLines } from '../table.ts'

export interface ExposureLayout {
  readonly isWide: boolean
  /** Only how many there are. */
  readonly isSummary: boolean
  /** Whether it matters which member a cluster is of. */
  readonly hasMembers: boolean
  readonly paint?: Paint
}

/** Worst first. */
const states: readonly ExposureState[] = ['Vulnerable', 'Unknown', 'Pending', 'Fixed']

const colourOf: Readonly<Record<ExposureState, Colour>> = { Vulnerable: 'red', Unknown: 'yellow', Pending: 'yellow', Fixed: 'green' }

/** What `windlass exposure` shows people. */
export function exposureLines(view: ExposureView, { isWide, isSummary, hasMembers, paint = plain }: ExposureLayout): readonly string[] {
  const { fixedIn, counts, clusters } = view
  const total = states.reduce((sum, state) => sum + counts[state], 0)
  const title = `Fixed in ${fixedIn.join(', ')}: ${counts.Vulnerable} of ${total} cluster${total === 1 ? '' : 's'} ${counts.Vulnerable === 1 ? 'is' : 'are'} vulnerable`
  if (isSummary) {
    const rows = states.map((state): readonly Cell[] => [{ text: state, colour: colourOf[state] }, String(counts[state])])
    return [title, '', ...tableLines(['STATE', 'CLUSTERS'], rows, paint)]
  }
  if (clusters.length === 0) return [title]
  const header = ['CLUSTER', 'STATE', 'CONTROL PLANE', 'DATA PLANE', ...(isWide ? ['MAY RUN'] : []), 'EVIDENCE']
  return [
    title,
    '',
    ...tableLines(
      header,
      clusters.map((cluster) => cells(cluster, isWide, hasMembers)),
      paint,
    ),
  ]
}

function cells(cluster: ClusterExposure, isWide: boolean, hasMembers: boolean): readonly Cell[] {
  const { id, state, controlPlane, dataPlane, isCurrent } = cluster
  return [
    hasMembers ? id : withoutMember(id),
    { text: state, colour: colourOf[state] },
    { text: controlPlane.state, colour: colourOf[controlPlane.state] },
    { text: dataPlane.state, colour: colourOf[dataPlane.state] },
    ...(isWide ? [[...new Set([...controlPlane.versions, ...dataPlane.versions])].join(' ')] : []),
    `${isCurrent ? '' : 'as last known: '}${evidenceOf(cluster)}`,
  ]
}

/** Of the sides that are as bad as the whole; once if both say the same. */
function evidenceOf({ state, controlPlane, dataPlane }: ClusterExposure): string {
  const sides = [
    ['control plane', controlPlane],
    ['data plane', dataPlane],
  ] as const
  const telling = sides.filter(([, side]) => side.state === state)
  const [first, second] = telling
  if (first === undefined) return ''
  if (second === undefined) return `${first[0]}: ${first[1].evidence}`
  return first[1].evidence === second[1].evidence
    ? first[1].evidence
    : telling.map(([name, { evidence }]) => `${name}: ${evidence}`).join('; ')
}
