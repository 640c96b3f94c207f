import type { Attention, ClusterRow, FleetFigures, SkewVerdict } from '../contract/index.ts'
import { VersionTally } from './versions.ts'

/** Worst first. */
export const attentions: readonly Attention[] = ['Stalled', 'Failing', 'Unknown', 'Upgrading', 'Installing', 'Deleting', 'Paused', 'Steady']
export const skewVerdicts: readonly SkewVerdict[] = ['Violated', 'AtLimit', 'Unknown', 'Allowed']

/** The figures of a fleet, moved by the difference when a row changes: the size of the fleet does not matter. */
export class Figures {
  readonly #attention = zeros(attentions)
  readonly #skew = zeros(skewVerdicts)
  readonly #controlPlanes = new VersionTally()
  readonly #dataPlanes = new VersionTally()
  readonly #nodes = new VersionTally()
  #clusters = 0
  #value: FleetFigures | undefined

  /** A row takes the place of another; either may be missing. */
  replace(old: ClusterRow | undefined, row: ClusterRow | undefined): void {
    if (old === row) return
    if (old !== undefined) this.#count(old, -1)
    if (row !== undefined) this.#count(row, 1)
    this.#value = undefined
  }

  /** The same object as long as nothing has changed. */
  get value(): FleetFigures {
    this.#value ??= {
      clusters: this.#clusters,
      attention: { ...this.#attention },
      nodes: this.#nodes.total,
      skew: { ...this.#skew },
      controlPlaneVersions: this.#controlPlanes.list(),
      dataPlaneVersions: this.#dataPlanes.list(),
      nodeVersions: this.#nodes.list(),
    }
    return this.#value
  }

  #count({ attention, skew, controlPlane, dataPlane, nodes }: ClusterRow, by: 1 | -1): void {
    this.#clusters += by
    this.#attention[attention] += by
    this.#skew[skew] += by
    this.#controlPlanes.add(controlPlane.version ?? '', by)
    this.#dataPlanes.add(dataPlane.version ?? '', by)
    for (const { version, count } of nodes.versions) this.#nodes.add(version, by * count)
  }
}

/** The figures of some rows. */
export function figuresOf(rows: Iterable<ClusterRow>): FleetFigures {
  const figures = new Figures()
  for (const row of rows) figures.replace(undefined, row)
  return figures.value
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  // fromEntries forgets which names there are.
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
}
