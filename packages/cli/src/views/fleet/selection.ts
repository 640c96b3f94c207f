import type { Attention, ClusterId, ClusterRow, FleetView } from '@windlass/fleet'
import { figuresOf } from '@windlass/fleet'
import { parseSelector } from './selector.ts'

/** Which clusters are asked for; all of them without a wish. */
export interface FleetWishes {
  readonly namespace?: string
  readonly selector?: string
  /** `4.20.3`, or a minor, `4.20`: what runs, may run or is to run on either side. */
  readonly version?: string
  readonly stalled?: true
  /** Those that somebody should look at. */
  readonly attention?: true
}

/** Worst first: the order in which people want to see them. */
export const worstFirst: readonly Attention[] = ['Stalled', 'Failing', 'Unknown', 'Upgrading', 'Installing', 'Deleting', 'Paused', 'Steady']

const alarming: ReadonlySet<Attention> = new Set(['Stalled', 'Failing', 'Unknown'])

/** Whether somebody should look at a cluster. */
export function needsAttention({ attention, skew, isCurrent }: ClusterRow): boolean {
  return alarming.has(attention) || skew === 'Violated' || !isCurrent
}

/** The part of the fleet that is asked for, worst first, with figures of its own. */
export function selected(view: FleetView, wishes: FleetWishes, labels: (id: ClusterId) => Readonly<Record<string, string>>): FleetView {
  const tests = testsFor(wishes, labels)
  const clusters = view.clusters.filter((row) => tests.every((isMet) => isMet(row))).toSorted(byBadness)
  return { ...view, clusters, figures: tests.length === 0 ? view.figures : figuresOf(clusters) }
}

function testsFor(
  { namespace, selector, version, stalled, attention }: FleetWishes,
  labels: (id: ClusterId) => Readonly<Record<string, string>>,
): readonly ((row: ClusterRow) => boolean)[] {
  const tests: ((row: ClusterRow) => boolean)[] = []
  if (namespace !== undefined) tests.push((row) => row.namespace === namespace)
  if (stalled === true) tests.push((row) => row.attention === 'Stalled')
  if (attention === true) tests.push(needsAttention)
  if (version !== undefined) tests.push((row) => versionsOf(row).some((each) => each === version || isOfMinor(each, version)))
  if (selector !== undefined) {
    const isSelected = parseSelector(selector)
    tests.push(({ id }) => isSelected(labels(id)))
  }
  return tests
}

function versionsOf({ controlPlane, dataPlane, nodes }: ClusterRow): readonly string[] {
  return [controlPlane, dataPlane]
    .flatMap(({ version, desired, activeVersions }) => [version, desired, ...activeVersions])
    .concat(nodes.versions.map(({ version }) => version))
    .filter((version) => version !== undefined)
}

function isOfMinor(version: string, minor: string): boolean {
  return /^\d+\.\d+$/.test(minor) && version.startsWith(`${minor}.`)
}

function byBadness(a: ClusterRow, b: ClusterRow): number {
  const order = worstFirst.indexOf(a.attention) - worstFirst.indexOf(b.attention)
  return order === 0 ? (a.id < b.id ? -1 : 1) : order
}
