import { HostedCluster, type NodePool } from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { CacheReader } from '@windlass/kube'
import { LabelledHistogram } from '../../metrics/histograms.ts'
import { labelsText } from '../../metrics/series.ts'
import { conditionsReached } from '../../metrics/transitions.ts'
import { pools } from '../caches.ts'
import { poolKeyOf } from '../names.ts'
import type { NodePoolSettings } from '../settings.ts'
import { Counts } from './counts.ts'
import { families, type FamilyName, headerOf } from './families.ts'
import { type Figures, figuresOf, values } from './figures.ts'
import { awaited, clusterLabelsOf, type Labels, type Reading, readingOf } from './readings.ts'
import { type Vcpus, vcpusOf } from './vcpus.ts'

/** A pool, and what is known of it. */
interface Entry {
  readonly reading: Reading
  readonly figures: Figures
  /** The last look that has found it. */
  look: number
}

/** As many pools are looked at, or series written, before others have a turn. */
const atOnce = 2000

/**
 * What the metrics of node pools say now.
 *
 * With 30,000 pools there are a quarter of a million series, and a scrape every half minute. Objects in a cache are never changed, only replaced: what was worked out from
 * some holds for as long as they are the same ones, and a look at all pools costs little more than to find them.
 */
export class NodePoolBoard {
  readonly #skew: NodePoolSettings['skew']
  readonly #since: Instant
  readonly #entries = new Map<string, Entry>()
  readonly #counts = new Counts()
  readonly #transitions = new LabelledHistogram('hypershift_nodepools_transition_seconds', families.hypershift_nodepools_transition_seconds)
  #looks = 0

  /** Transitions of pools that it sees for the first time count from the given moment on. */
  constructor(skew: NodePoolSettings['skew'], since: Instant) {
    this.#skew = skew
    // Times in objects have no fractions of a second.
    this.#since = Math.floor(since / 1000) * 1000
  }

  /** A pool was looked at by somebody: the next scrape has less to do. */
  see(pool: NodePool, cache: CacheReader): void {
    this.#see(readingOf(pool, cache), this.#looks)
  }

  /** Everything, as Prometheus reads it, at this moment. */
  *pieces(cache: CacheReader, now: Instant): Generator<string> {
    yield* this.#lookAt(cache)
    const entries = [...this.#entries.values()]
    yield this.#counts.lines
    yield* clustersIn(cache, entries)
    for (const [name, valueOf] of Object.entries(values) as [keyof typeof values, (typeof values)[keyof typeof values]][]) {
      yield headerOf(name)
      const labels = name === 'windlass_nodepool_version_info' ? 'versionLabels' : 'labels'
      yield* inPieces(entries, ({ figures }) => {
        const value = valueOf(figures, now)
        return value === undefined ? '' : `${name}${figures[labels]} ${value}\n`
      })
    }
    yield headerOf('hypershift_nodepools_transition_seconds') + this.#transitions.lines
  }

  /** Two looks may be under way at once: neither takes away what the other has found. */
  *#lookAt(cache: CacheReader): Generator<string> {
    const look = ++this.#looks
    yield* inPieces(cache.list(pools), (pool) => {
      this.#see(readingOf(pool, cache), look)
      return ''
    })
    for (const [key, entry] of this.#entries) {
      if (entry.look >= look) continue
      this.#entries.delete(key)
      this.#counts.remove(entry.figures)
    }
  }

  #see(reading: Reading, look: number): void {
    const { pool, cluster, scaled } = reading
    const key = poolKeyOf(pool)
    const before = this.#entries.get(key)
    if (before !== undefined && before.reading.pool === pool && before.reading.cluster === cluster && before.reading.scaled === scaled) {
      before.look = Math.max(before.look, look)
      return
    }
    for (const { condition, seconds } of conditionsReached(awaited, before?.reading.pool, pool, this.#since)) {
      this.#transitions.observe(condition, seconds)
    }
    const figures = figuresOf(reading, this.#skew)
    if (before !== undefined) this.#counts.remove(before.figures)
    this.#counts.add(figures)
    this.#entries.set(key, { reading, figures, look })
  }
}

/** Figures about the clusters that pools belong to, also about those that have none. */
function* clustersIn(cache: CacheReader, entries: readonly Entry[]): Generator<string> {
  const byCluster = Map.groupBy(entries, ({ reading: { pool } }) => `${pool.metadata.namespace ?? ''}/${pool.spec.clusterName}`)
  const clusters: { readonly labels: Labels; readonly text: string; readonly pools: number; readonly vcpus: Vcpus }[] = []
  yield* inPieces(cache.list(HostedCluster), (cluster) => {
    const { namespace = '', name = '' } = cluster.metadata
    const readings = (byCluster.get(`${namespace}/${name}`) ?? []).map(({ reading }) => reading)
    const labels = clusterLabelsOf(cluster)
    clusters.push({ labels, text: labelsText(labels), pools: readings.length, vcpus: vcpusOf(readings, cache) })
    return ''
  })
  const write = function* (name: FamilyName, line: (cluster: (typeof clusters)[number]) => string): Generator<string> {
    yield headerOf(name)
    yield* inPieces(clusters, line)
  }
  yield* write('hypershift_hostedcluster_nodepools', ({ text, pools: count }) => `hypershift_hostedcluster_nodepools${text} ${count}\n`)
  yield* write('hypershift_cluster_vcpus', ({ text, vcpus }) => `hypershift_cluster_vcpus${text} ${'count' in vcpus ? vcpus.count : -1}\n`)
  yield* write('hypershift_cluster_vcpus_computation_error', ({ labels, vcpus }) =>
    'reason' in vcpus ? `hypershift_cluster_vcpus_computation_error${labelsText({ ...labels, reason: vcpus.reason })} 1\n` : '',
  )
}

function* inPieces<T>(all: readonly T[], line: (each: T) => string): Generator<string> {
  for (let start = 0; start < all.length; start += atOnce) {
    yield all
      .slice(start, start + atOnce)
      .map(line)
      .join('')
  }
}
