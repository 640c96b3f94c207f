import { Deployment, Job, Service, StatefulSet } from '@windlass/api'
import type { DeploymentCondition } from '@windlass/api'
import { findCondition, formatTime, parseTime } from '@windlass/core'
import type { Instant } from '@windlass/core'
import { done, plan, requeueAfter, status } from '@windlass/kube'
import type { AnyController, ControllerDefinition, Plan } from '@windlass/kube'

/** How long everything takes to roll out, or to be given out. */
const rolloutTime = 20_000

/** On a workload that is to stay as somebody has broken it. */
export const brokenAnnotation = 'test.windlass.dev/broken'

/** Workloads that roll out, and load balancers that get an address: as little as control planes can tell from a real cluster. */
export function workloads(): readonly AnyController[] {
  const deployments: ControllerDefinition<Deployment, Deployment> = {
    name: 'test-deployments',
    for: Deployment,
    observe: (ref, cache) => cache.get(Deployment, ref),
    decide: (object, now) => rollouts.decide(Deployment, object, now),
  }
  const statefulSets: ControllerDefinition<StatefulSet, StatefulSet> = {
    name: 'test-stateful-sets',
    for: StatefulSet,
    observe: (ref, cache) => cache.get(StatefulSet, ref),
    decide: (object, now) => rollouts.decide(StatefulSet, object, now),
  }
  const rollouts = new Rollouts()
  return [deployments, statefulSets, jobs, loadBalancers] as readonly AnyController[]
}

class Rollouts {
  /** When each generation was first seen. A process that is started again begins them anew. */
  readonly #begun = new Map<string, Instant>()

  /** First a new generation is taken note of, with old pods all around; after a while all of them are new. */
  decide(kind: typeof Deployment | typeof StatefulSet, object: Deployment | StatefulSet, now: Instant): Plan {
    const { generation = 1, deletionTimestamp, uid = '', annotations = {} } = object.metadata
    const { replicas = 1 } = object.spec
    const { observedGeneration = 0, updatedReplicas = 0, readyReplicas = 0, replicas: before = 0 } = object.status ?? {}
    if (deletionTimestamp !== undefined || annotations[brokenAnnotation] !== undefined) return done
    const isDeployment = object.kind === 'Deployment'
    const said = isDeployment ? findCondition(object.status?.conditions, 'Available') : undefined
    if (observedGeneration < generation) {
      const counts = {
        observedGeneration: generation,
        replicas: before,
        updatedReplicas: 0,
        readyReplicas,
        availableReplicas: readyReplicas,
      }
      const lacking = isDeployment && replicas > readyReplicas ? { unavailableReplicas: replicas - readyReplicas } : {}
      const condition = isDeployment ? { conditions: [available(said?.status === 'True' && readyReplicas > 0, said, now)] } : {}
      return plan(write(kind, object, { ...counts, ...lacking, ...condition }, 'a new generation was seen'))
    }
    const isDone = updatedReplicas === replicas && before === replicas && readyReplicas === replicas
    if (isDone && (!isDeployment || said?.status === 'True')) return done
    const key = `${uid}/${generation}`
    const since = this.#begun.get(key) ?? now
    this.#begun.set(key, since)
    if (now - since < rolloutTime) return requeueAfter(rolloutTime - (now - since))
    const counts = { observedGeneration, replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas }
    const rest = isDeployment ? { unavailableReplicas: undefined, conditions: [available(true, said, now)] } : {}
    return plan(write(kind, object, { ...counts, ...rest }, 'the pods are all new'))
  }
}

function write(kind: typeof Deployment | typeof StatefulSet, object: Deployment | StatefulSet, fields: object, reason: string) {
  return status(kind as typeof Deployment, object as Deployment, fields, reason, { ifUnchanged: true })
}

type Said = Pick<DeploymentCondition, 'status' | 'lastTransitionTime'> | undefined

function available(isSo: boolean, said: Said, now: Instant) {
  const value = isSo ? 'True' : 'False'
  const time = formatTime(now)
  return {
    type: 'Available',
    status: value,
    reason: isSo ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: '',
    lastUpdateTime: time,
    lastTransitionTime: said?.status === value ? (said.lastTransitionTime ?? time) : time,
  } as const
}

const jobs: ControllerDefinition<Job, Job> = {
  name: 'test-jobs',
  for: Job,
  observe: (ref, cache) => cache.get(Job, ref),
  decide: (job, now) => {
    const time = formatTime(now)
    if (job.metadata.deletionTimestamp !== undefined || findCondition(job.status?.conditions, 'Complete') !== undefined) return done
    const started = parseTime(job.status?.startTime)
    if (started === undefined) return plan(status(Job, job, { startTime: time, active: 1 }, 'it begins'))
    if (now - started < rolloutTime) return requeueAfter(rolloutTime - (now - started))
    const conditions = (['SuccessCriteriaMet', 'Complete'] as const).map(
      (type) =>
        ({ type, status: 'True', reason: 'CompletionsReached', message: '', lastProbeTime: time, lastTransitionTime: time }) as const,
    )
    return plan(
      status(Job, job, { active: undefined, succeeded: 1, completionTime: time, conditions }, 'it is through', { ifUnchanged: true }),
    )
  },
}

const loadBalancers: ControllerDefinition<Service, Service> = {
  name: 'test-load-balancers',
  for: Service,
  observe: (ref, cache) => cache.get(Service, ref),
  decide: (service) => {
    if (service.spec.type !== 'LoadBalancer' || service.status?.loadBalancer?.ingress !== undefined) return done
    const hostname = `${service.metadata.name ?? ''}.${service.metadata.namespace ?? ''}.example.com`
    return plan(status(Service, service, { loadBalancer: { ingress: [{ hostname }] } }, 'there is an address'))
  },
}
