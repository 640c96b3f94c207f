import type { AnyController } from '@windlass/kube'
import { cronJobController } from './cron-jobs/index.ts'
import { daemonSetController } from './daemon-sets/index.ts'
import { deploymentController } from './deployments/index.ts'
import { disruptionBudgetController } from './disruption-budgets/index.ts'
import { jobController } from './jobs/index.ts'
import { kubeletController } from './kubelet/index.ts'
import { loadBalancerController } from './load-balancers/index.ts'
import { replicaSetController } from './replica-sets/index.ts'
import { routeController } from './routes/index.ts'
import { schedulerController } from './scheduler/index.ts'
import { settingsOf, type WorkloadOptions } from './settings.ts'
import { statefulSetController } from './stateful-sets/index.ts'

/**
 * Everything that makes workloads roll out on a server that has no controllers for them.
 *
 * Caveat: never beside real ones. They would fight over every Pod.
 */
export function workloadControllers(options: WorkloadOptions): readonly AnyController[] {
  const settings = settingsOf(options)
  return [
    deploymentController,
    replicaSetController(settings),
    statefulSetController(settings),
    daemonSetController,
    jobController(settings),
    cronJobController,
    disruptionBudgetController,
    schedulerController(settings),
    kubeletController(settings),
    loadBalancerController(settings),
    ...(options.routes === false ? [] : [routeController(settings)]),
  ]
}
