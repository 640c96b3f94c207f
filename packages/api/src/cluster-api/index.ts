/**
 * `cluster.x-k8s.io/v1beta1`: the machines of hosted clusters. A node pool writes MachineDeployments or MachineSets; who turns them
 * into machines is Cluster API on a real cluster and the simulator on a laptop.
 */
export { Cluster } from './cluster.ts'
export { MachineDeployment } from './machine-deployment.ts'
export { MachineHealthCheck } from './machine-health-check.ts'
export { MachineSet } from './machine-set.ts'
export { Machine } from './machine.ts'
