/** Names on the wire that simulated machines read and write. Those of Cluster API and of OpenShift, but for `simulator.windlass.dev`. */
const capi = <const Name extends string>(name: Name) => `cluster.x-k8s.io/${name}` as const
const hypershift = <const Name extends string>(name: Name) => `hypershift.openshift.io/${name}` as const
const mco = <const Name extends string>(name: Name) => `machineconfiguration.openshift.io/${name}` as const

export const machineFinalizer = 'machine.cluster.x-k8s.io'
export const clusterFinalizer = 'cluster.cluster.x-k8s.io'

export const Annotation = {
  /** Stops everything about an object of Cluster API. */
  paused: capi('paused'),
  /** A machine that goes first when there are too many. */
  deleteMachine: capi('delete-machine'),
  /** What a provider has made its own object from. */
  clonedFrom: capi('cloned-from-name'),
  clonedFromKind: capi('cloned-from-groupkind'),
  /** `<namespace>/<name>` of the pool that an object belongs to. */
  nodePool: hypershift('nodePool'),
  /** When the machine has got its configuration, and for which version that was. */
  booted: 'simulator.windlass.dev/booted',
  bootedVersion: 'simulator.windlass.dev/booted-version',
} as const

export const Label = {
  clusterName: capi('cluster-name'),
  /** What machines of one MachineSet were made from. */
  templateHash: 'machine-template-hash',
  deploymentName: capi('deployment-name'),
  setName: capi('set-name'),
} as const

/** On Nodes. */
export const NodeAnnotation = {
  machine: capi('machine'),
  clusterNamespace: capi('cluster-namespace'),
  clusterName: capi('cluster-name'),
  currentConfig: mco('currentConfig'),
  desiredConfig: mco('desiredConfig'),
  state: mco('state'),
  reason: mco('reason'),
  desiredDrain: mco('desiredDrain'),
  lastAppliedDrain: mco('lastAppliedDrain'),
  /** The configuration that is on its disk: the one that its machine got, then the one that its daemon has written. */
  disk: 'simulator.windlass.dev/config',
  /** Since when the daemon does what it does. */
  since: 'simulator.windlass.dev/since',
} as const

export function isPaused({ metadata }: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }): boolean {
  return metadata.annotations?.[Annotation.paused] !== undefined
}
