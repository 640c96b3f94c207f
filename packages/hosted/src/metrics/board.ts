import type { ControlPlaneComponent } from '@windlass/api'
import { type Duration, type Instant, stalledAfter } from '@windlass/core'
import { Counts, type Share, shareOf } from './counts.ts'
import { families, type FamilyName, familyNames, headerOf } from './families.ts'
import { componentsText, type Figures, figuresOf, labelsOf } from './figures.ts'
import { LabelledHistogram } from './histograms.ts'
import type { Seen } from './transitions.ts'

/** One cluster, and what was written out for it. */
interface Entry {
  readonly seen: Seen
  readonly share: Share
  readonly figures: Figures
  /** Undefined when one of its components has changed since. */
  components: string | undefined
}

type HistogramName = { [N in FamilyName]: (typeof families)[N]['type'] extends 'histogram' ? N : never }[FamilyName]

const histogramOf = (name: HistogramName): LabelledHistogram => new LabelledHistogram(name, families[name])

/** As long as a piece of the text is to be, about. */
const pieceLength = 256 * 1024

export interface BoardOptions {
  /** Lists the components of a cluster. */
  readonly componentsOf: (seen: Seen) => readonly ControlPlaneComponent[]
  /** An update that takes longer has stalled. */
  readonly stalledAfter?: Duration
}

/**
 * What the metrics of hosted clusters say now.
 *
 * With 10,000 clusters there are half a million series, and a scrape every half minute. What is written for a cluster is kept until the cluster changes, and a change
 * costs what one cluster costs; components are written out at the next scrape, however often they change in between.
 */
export class HostedClusterBoard {
  readonly transitions = histogramOf('hypershift_hosted_cluster_transition_seconds')
  readonly rollouts = histogramOf('windlass_hosted_control_plane_rollout_seconds')
  readonly #entries = new Map<string, Entry>()
  readonly #counts = new Counts()
  readonly #options: BoardOptions

  constructor(options: BoardOptions) {
    this.#options = options
  }

  seen(key: string): Seen | undefined {
    return this.#entries.get(key)?.seen
  }

  see(key: string, seen: Seen): void {
    const before = this.#entries.get(key)
    if (before !== undefined) this.#counts.remove(before.share)
    const share = shareOf(seen.cluster)
    this.#counts.add(share, seen.cluster)
    const hasSameLabels = before !== undefined && before.seen.cluster.spec.clusterID === seen.cluster.spec.clusterID
    const figures = figuresOf(seen.cluster, seen.controlPlane)
    this.#entries.set(key, { seen, share, figures, components: hasSameLabels ? before.components : undefined })
  }

  forget(key: string): void {
    const before = this.#entries.get(key)
    if (before === undefined) return
    this.#counts.remove(before.share)
    this.#entries.delete(key)
  }

  componentsChanged(key: string): void {
    const entry = this.#entries.get(key)
    if (entry !== undefined) entry.components = undefined
  }

  /** Everything, as Prometheus reads it, at this moment. Clusters that come while it is read out are in the next one. */
  *pieces(now: Instant): Generator<string> {
    const entries = [...this.#entries.values()]
    const written = this.#written(entries, now)
    const piece: string[] = []
    let length = 0
    for (const name of familyNames) {
      piece.push(headerOf(name))
      for (const text of name === 'windlass_control_plane_component_info' ? this.#components(entries) : (written.get(name) ?? [])) {
        piece.push(text)
        length += text.length
        if (length < pieceLength) continue
        yield piece.splice(0).join('')
        length = 0
      }
    }
    yield piece.join('')
  }

  #written(entries: readonly Entry[], now: Instant): ReadonlyMap<FamilyName, readonly string[]> {
    const written = new Map<FamilyName, string[]>(familyNames.map((name) => [name, []]))
    const put = (family: FamilyName, text: string): void => void written.get(family)?.push(text)
    for (const { family, text } of this.#counts.lines()) put(family, text)
    put('hypershift_hosted_cluster_transition_seconds', this.transitions.lines)
    put('windlass_hosted_control_plane_rollout_seconds', this.rollouts.lines)
    const threshold = this.#options.stalledAfter ?? stalledAfter
    for (const { figures } of entries) {
      for (const { family, text } of figures.lines) put(family, text)
      for (const { family, series, since } of figures.ages) put(family, `${series}${Math.max(0, now - since) / 1000}\n`)
      if (figures.rollout === undefined) continue
      const { series, runsSince } = figures.rollout
      put('windlass_hosted_control_plane_stalled', `${series}${runsSince !== undefined && now - runsSince > threshold ? 1 : 0}\n`)
    }
    return written
  }

  *#components(entries: readonly Entry[]): Generator<string> {
    for (const entry of entries) {
      entry.components ??= componentsText(labelsOf(entry.seen.cluster), this.#options.componentsOf(entry.seen))
      yield entry.components
    }
  }
}
