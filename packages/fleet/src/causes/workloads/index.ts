/**
 * What can be wrong with what runs in the namespace of a control plane.
 *
 * - `pod.ts`: a Pod, by a table of what its node, its scheduler and its containers say. `workload.ts`: what makes Pods, and which of them tells most.
 * - `publishing.ts`: Services and Routes, which the outside has to give addresses and names.
 */
export { podTrouble, type PodSurroundings } from './pod.ts'
export { addressTroubles, nameTrouble, serviceNamed } from './publishing.ts'
export { workloadTrouble } from './workload.ts'
