/**
 * Workloads that roll out: what kubelets, the scheduler, the controllers of workloads, a cloud and a router do, for clusters that have none of them.
 *
 *   workloadControllers({ seed: 42, speed: 10 })
 *
 * A folder for each controller: `deployments/`, `replica-sets/`, `stateful-sets/`, `daemon-sets/`, `jobs/`, `cron-jobs/`, `disruption-budgets/`,
 * `scheduler/`, `kubelet/`, `load-balancers/`, `routes/`. Each has a `decide.ts`, which is the rule, and a `controller.ts`, which says what it looks at.
 *
 * Each of them also looks at what it has written itself. An answer may be lost, and the cache be late: then what is written is not what the next pass
 * compares with, and only another look finds that out.
 *
 * - `workload-controllers.ts`: all of them. `settings.ts`: what can be told.
 * - `caches.ts`: what they keep in memory, and how they find it. `pods/`: what a Pod counts as, and how one is made. `placement.ts`: where.
 * - `revision.ts`, `counts.ts`, `again.ts`, `exposure.ts`, `tenancy.ts`: what several of them need.
 */
export { dnsAnnotation, hostnameAnnotation } from './exposure.ts'
export type { WorkloadOptions } from './settings.ts'
export { workloadControllers } from './workload-controllers.ts'
