import { machineApi, Namespace } from '@windlass/api'
import { formatTime, type Instant } from '@windlass/core'
import { placed, type Placed } from '../cluster/fixtures/index.ts'
import { podName } from '../workloads/pods/index.ts'
import { Annotation, Label, machineFinalizer, machineNamespace } from './wire.ts'

export interface WorkerMachinesOptions {
  /** As many as `standaloneCluster` was told; three unless told. */
  readonly workers?: number
  /** As `standaloneCluster` was told. */
  readonly zones?: readonly string[]
  /** When the cluster was installed. */
  readonly installed: Instant
  /** What the installer called the cluster's infrastructure; `classic-x7k2p` unless told. */
  readonly infrastructure?: string
  /** The pool of Hive that the sets belong to; `worker` unless told. */
  readonly pool?: string
}

/**
 * The machines of the workers that `standaloneCluster` makes: a MachineSet for each zone, as installers leave them, and a Machine for each node. Sets take
 * machines that are there for their own.
 */
export function workerMachines(options: WorkerMachinesOptions): readonly Placed[] {
  const { workers = 3, zones = ['zone-a', 'zone-b', 'zone-c'], installed, infrastructure = 'classic-x7k2p', pool = 'worker' } = options
  const places = zones.length === 0 ? [''] : zones
  const sets = places.map((zone, place) => {
    const name = [infrastructure, pool, zone].filter((part) => part !== '').join('-')
    const indexes = Array.from({ length: workers }, (_, index) => index).filter((index) => index % places.length === place)
    return { name, zone, indexes }
  })
  return [
    placed(Namespace, { metadata: { name: machineNamespace } }),
    ...sets.flatMap(({ name, zone, indexes }) => {
      const own = { [Label.cluster]: infrastructure, [Label.machineSet]: name }
      const labels = { ...own, [Label.role]: pool, [Label.type]: pool, ...(zone === '' ? {} : { [Label.zone]: zone }) }
      const providerSpec = { value: { kind: 'SimulatedMachineProviderConfig', instanceType: 'large', placement: { zone } } }
      const metadata = { namespace: machineNamespace, labels: { [Label.pool]: pool, [Label.cluster]: infrastructure } }
      const template = { metadata: { labels }, spec: { metadata: {}, providerSpec } }
      return [
        placed(machineApi.MachineSet, {
          metadata: { ...metadata, name },
          spec: { replicas: indexes.length, selector: { matchLabels: own }, template },
        }),
        ...indexes.map((index) => {
          const machine = podName(name, String(index))
          const annotations = { [Annotation.instanceState]: 'running' }
          return placed(
            machineApi.Machine,
            {
              metadata: { namespace: machineNamespace, name: machine, labels, annotations, finalizers: [machineFinalizer] },
              spec: { providerSpec, providerID: `simulator:///${machine}` },
            },
            { phase: 'Running', lastUpdated: formatTime(installed), nodeRef: { kind: 'Node', name: `worker-${index}` } },
          )
        }),
      ]
    }),
  ]
}
