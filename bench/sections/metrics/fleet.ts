import type { ControlPlaneComponent, HostedCluster, KubernetesObject } from '@windlass/api'
import { aControlPlaneComponent, aHostedCluster } from '@windlass/api/fixtures'
import { systemClock as clock } from '@windlass/core'
import { hostedClusterMetrics } from '@windlass/hosted'
import type { CacheChange, SharedCache } from '@windlass/kube'
import type { Bench } from '../../bench.ts'

const componentsOfEach = 38
const versions = ['4.19.6', '4.19.7'] as const

type Handler = (change: CacheChange<KubernetesObject>) => void

/** Objects as a cache would have them, and metrics that follow them. */
export class Fleet {
  readonly metrics = hostedClusterMetrics({ clock })
  readonly stop = new AbortController()
  readonly #handlers = new Map<string, Handler>()
  readonly #components = new Map<string, ControlPlaneComponent[]>()
  readonly clusters: readonly HostedCluster[]
  #version = 0

  constructor(count: number) {
    const kindOf = (of: unknown): string => (of as { readonly kind: { readonly kind: string } }).kind.kind
    this.metrics.follow({
      declare: () => {},
      onChange: (of: unknown, handler: Handler) => void this.#handlers.set(kindOf(of), handler),
      get: () => undefined,
      list: (_: unknown, { namespace = '' }: { readonly namespace?: string } = {}) => this.#components.get(namespace) ?? [],
    } as unknown as SharedCache)
    void this.metrics.run(this.stop.signal)
    this.clusters = Array.from({ length: count }, (_, index) => aHostedCluster({ name: `prod-${index}` }))
    for (const cluster of this.clusters) {
      const namespace = namespaceOf(cluster)
      const names = Array.from({ length: componentsOfEach }, (_, number) => `component-of-some-length-${number}`)
      this.#components.set(
        namespace,
        names.map((name) => aControlPlaneComponent({ name, namespace })),
      )
      this.#tell(cluster)
    }
  }

  /** All components of the first clusters go to another version. */
  upgradeSome(count: number): void {
    const version = versions[++this.#version % versions.length] ?? versions[0]
    for (const cluster of this.clusters.slice(0, count)) {
      const namespace = namespaceOf(cluster)
      const next = (this.#components.get(namespace) ?? []).map((old) =>
        aControlPlaneComponent({ name: old.metadata.name ?? '', namespace, version }),
      )
      this.#components.set(namespace, next)
      for (const component of next) this.#tell(component)
      this.#tell({ ...cluster })
    }
  }

  /** Microseconds for one change, in the mix of an upgrade: a change of the cluster for each 38 of components. */
  eventCost(bench: Bench): number {
    const changes = this.clusters
      .slice(0, 1000)
      .flatMap((cluster) => [{ ...cluster }, ...(this.#components.get(namespaceOf(cluster)) ?? [])])
    let fastest = Infinity
    for (let round = 0; round < bench.rounds; round++) {
      const started = performance.now()
      for (const object of changes) this.#tell(object)
      fastest = Math.min(fastest, performance.now() - started)
    }
    return (fastest * 1000) / changes.length
  }

  #tell(object: HostedCluster | ControlPlaneComponent): void {
    this.#handlers.get(object.kind)?.({ type: 'updated', object, old: object })
  }
}

function namespaceOf({ metadata: { namespace = '', name = '' } }: HostedCluster): string {
  return `${namespace}-${name}`
}
