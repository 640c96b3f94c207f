/** Names on the wire of the machine API. Those of OpenShift, but for `simulator.windlass.dev`. */
const machine = <const Name extends string>(name: Name) => `machine.openshift.io/${name}` as const

export const machineNamespace = 'openshift-machine-api'

/** A Machine stays until its node has been drained and the provider has deleted it. */
export const machineFinalizer = 'machine.machine.openshift.io'

export const Label = {
  cluster: machine('cluster-api-cluster'),
  role: machine('cluster-api-machine-role'),
  type: machine('cluster-api-machine-type'),
  machineSet: machine('cluster-api-machineset'),
  zone: machine('zone'),
  /** The pool of Hive that a set belongs to: on managed clusters every set has one. */
  pool: 'hive.openshift.io/machine-pool',
} as const

export const Annotation = {
  /** On a Node: `<namespace>/<name>` of its Machine. */
  machine: machine('machine'),
  /** On a Machine that goes first when there are too many. */
  deleteMachine: machine('delete-machine'),
  /** On a Machine whose node is not drained. */
  withoutDrain: machine('exclude-node-draining'),
  instanceState: machine('instance-state'),
  /** Since when its node is drained. A real controller has this in a condition. */
  drained: 'simulator.windlass.dev/drained',
} as const
