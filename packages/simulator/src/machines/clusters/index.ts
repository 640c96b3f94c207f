/** Clusters of Cluster API: each stays until its machines are gone, and takes them with it. */
export { machineClusters } from './controller.ts'
