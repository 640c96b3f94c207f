import type { ControlPlaneComponent, HostedCluster, HostedControlPlane, KubernetesObject } from '@windlass/api'
import { parseTime, VirtualClock } from '@windlass/core'
import type { CacheChange, SharedCache } from '@windlass/kube'
import { hostedClusterMetrics } from '../hosted-cluster-metrics.ts'

type Handler = (change: CacheChange<KubernetesObject>) => void

const keyOf = ({ kind, metadata: { namespace = '', name = '' } }: KubernetesObject): string => `${kind} ${namespace}/${name}`

/** Metrics of hosted clusters over caches whose changes the test makes, in virtual time. */
export class MetricsStage {
  readonly clock: VirtualClock
  readonly metrics
  readonly #objects = new Map<string, KubernetesObject>()
  readonly #handlers = new Map<string, Handler>()
  #stop = new AbortController()

  constructor(start = '2026-03-06T12:00:00Z') {
    this.clock = new VirtualClock({ start: parseTime(start) ?? 0 })
    this.metrics = hostedClusterMetrics({ clock: this.clock })
    const kindOf = (of: unknown): string => (of as { readonly kind: { readonly kind: string } }).kind.kind
    this.metrics.follow({
      declare: () => {},
      onChange: (of: unknown, handler: Handler) => void this.#handlers.set(kindOf(of), handler),
      get: (of: unknown, { namespace = '', name }: { readonly namespace?: string; readonly name: string }) =>
        this.#objects.get(`${kindOf(of)} ${namespace}/${name}`),
      list: (of: unknown, { namespace }: { readonly namespace?: string } = {}) =>
        [...this.#objects.values()].filter(({ kind, metadata }) => kind === kindOf(of) && metadata.namespace === namespace),
    } as unknown as SharedCache)
  }

  /** From now on it leads. */
  lead(): this {
    this.#stop = new AbortController()
    void this.metrics.run(this.#stop.signal)
    return this
  }

  stop(): void {
    this.#stop.abort()
  }

  put(...objects: readonly (HostedCluster | HostedControlPlane | ControlPlaneComponent)[]): this {
    for (const object of objects) {
      const old = this.#objects.get(keyOf(object))
      this.#objects.set(keyOf(object), object)
      const change = old === undefined ? { type: 'added' as const, object, isInitial: false } : { type: 'updated' as const, object, old }
      this.#handlers.get(object.kind)?.(change)
    }
    return this
  }

  remove(object: KubernetesObject): this {
    this.#objects.delete(keyOf(object))
    this.#handlers.get(object.kind)?.({ type: 'deleted', object, isStale: false })
    return this
  }

  get text(): string {
    return [...this.metrics.pieces()].join('')
  }

  /** The series of a metric: what stands in braces, and the value. */
  series(name: string): Readonly<Record<string, number>> {
    const lines = this.text.split('\n').filter((line) => line.startsWith(`${name}{`))
    return Object.fromEntries(
      lines.map((line) => [line.slice(name.length + 1, line.lastIndexOf('}')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    )
  }
}
