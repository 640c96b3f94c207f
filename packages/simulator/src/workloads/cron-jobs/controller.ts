import { CronJob, type Job } from '@windlass/api'
import { changed, type ControllerDefinition, watching } from '@windlass/kube'
import { controlledBy, controllersOf, isGoing, jobs, namespaces } from '../caches.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { decide, type Observed } from './decide.ts'

export const cronJobController: ControllerDefinition<CronJob, Observed> = {
  name: 'simulated-cron-jobs',
  for: CronJob,
  watches: [
    watching(
      jobs,
      controllersOf(CronJob),
      changed(({ metadata, status }: Job) => [metadata.deletionTimestamp, status?.conditions]),
    ),
  ],
  reads: [namespaces],
  maxConcurrent: manyAtOnce,
  tenant: byNamespace,
  observe(ref, cache) {
    const cronJob = cache.get(CronJob, ref)
    return cronJob === undefined || isGoing(cache, ref) ? undefined : { cronJob, jobs: controlledBy(cache, jobs, cronJob) }
  },
  decide,
}
