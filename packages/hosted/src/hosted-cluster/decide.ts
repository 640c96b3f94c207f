import { Deployment, HostedCluster, HostedControlPlane } from '@windlass/api'
import { findCondition } from '@windlass/core'
import type { Instant } from '@windlass/core'
import { ensureFinalizer, patch, plan, refOf, requeueAfter, wait } from '@windlass/kube'
import type { Action, Plan } from '@windlass/kube'
import { autoNodePollMilliseconds } from './auto-node.ts'
import { pausedAs } from './cluster-api.ts'
import { deletionConditions, withCondition } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import { completionOf } from './defaults.ts'
import { capiDeployments, decideDeletion } from './deletion.ts'
import { passage } from './gates.ts'
import type { Identifiers } from './identifiers.ts'
import { namespaceNameProblem } from './namespace.ts'
import { clusterKeyOf, controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { planOperations } from './operations.ts'
import type { PlannedOperation } from './operations.ts'
import { pauseOf } from './pause.ts'
import { aggregate, problemsOf } from './problems.ts'
import type { Problem } from './problems.ts'
import { look } from './seen.ts'
import type { Seen } from './seen.ts'
import { hostedClusterStatus, statusAction } from './status.ts'
import type { Verdict } from './verdict.ts'
import { Annotation, Finalizer } from './wire.ts'

/**
 * What a pass over a hosted cluster decided.
 *
 * `actions` are everything there is to do, in order. Whoever wants failures of one operation to leave others alone carries out `before`, then the
 * operations one by one, then says how it went with `concluded`.
 */
export interface HostedClusterPlan extends Plan {
  /** What stands before the operations: the status, and the cluster itself. */
  readonly before: readonly Action[]
  readonly operations: readonly PlannedOperation[]
  /** What can be seen to be wrong already. */
  readonly problems: readonly Problem[]
  /** Conditions of the cluster as this pass writes them, for `concluded`. */
  readonly conditions: Conditions
  /** Worth a line in the log. */
  readonly notes: readonly string[]
  /** The error that the pass ends with, even if everything can be carried out. The object is tried again because of it. */
  readonly error: string | undefined
}

/** How often registries are asked that could not tell what a release is. They themselves are asked less often the longer that goes on. */
const registryPollMilliseconds = 15_000

/** Decides what to do about a hosted cluster: complete it, report on it, and make what it asks for; or take it down. */
export function decideHostedCluster(observed: ObservedHostedCluster, now: Instant, identifiers: Identifiers): HostedClusterPlan {
  const { cluster } = observed
  if (cluster.metadata.deletionTimestamp !== undefined) return deletionPlan(look(observed, now))
  const completion = completionOf(observed, identifiers, pauseOf(cluster.spec.pausedUntil, now).isPaused)
  if (completion !== undefined) {
    const problems = completion.problem === undefined ? [] : [problem('PlatformDefaults', completion.problem)]
    return finished(cluster, now, { before: completion.actions, problems, isTold: problems.length > 0 })
  }
  return livingPlan(look(observed, now))
}

function livingPlan(seen: Seen): HostedClusterPlan {
  const { cluster, now, pause } = seen
  const fields = hostedClusterStatus(seen)
  const write = statusAction(cluster, fields, 'this is what was seen of the cluster', true)
  const before = [...present(write), ...firstAvailability(seen, fields.conditions), ...capiFinalizers(seen)]
  const told = { before, conditions: fields.conditions }
  const later = unansweredPlan(seen)
  if (pause.isPaused)
    return finished(cluster, now, { ...told, before: [...before, ...pauseActions(seen)], plan: plan(pausePlan(seen), later) })
  const gate = passage(seen)
  if (gate.is === 'closed') {
    const problems = gate.isError ? [problem('ValidConfiguration', gate.because)] : []
    return finished(cluster, now, { ...told, problems, plan: gate.isError ? {} : plan(wait(gate.because), later) })
  }
  const unnameable = namespaceNameProblem(cluster)
  if (unnameable !== undefined) return finished(cluster, now, { ...told, problems: [problem('CPOImageAndNamespace', unnameable)] })
  const operations = planOperations(seen, fields.ignitionEndpoint)
  const isPolling = findCondition(fields.conditions, 'AutoNodeEnabled')?.reason === 'AutoNodeProgressing'
  const rest = plan(later, isPolling ? requeueAfter(autoNodePollMilliseconds, 'the components of AutoNode') : undefined)
  return finished(cluster, now, { ...told, operations, problems: problemsOf(operations), plan: rest })
}

/** Once a cluster has been available, that stays known; how long it took is told by metrics. */
function firstAvailability({ cluster }: Seen, conditions: Conditions): readonly Action[] {
  const isKnown = cluster.metadata.annotations?.[Annotation.hasBeenAvailable] !== undefined
  if (isKnown || findCondition(conditions, 'Available')?.status !== 'True') return []
  const change = { metadata: { annotations: { [Annotation.hasBeenAvailable]: 'true' } } }
  return [patch(HostedCluster, refOf(cluster), change, 'the cluster is available for the first time')]
}

/** Deployments that look after machines must not go before the machines. */
function capiFinalizers({ cluster, objects }: Seen): readonly Action[] {
  if (cluster.metadata.annotations?.[Annotation.disableMachineManagement] !== undefined) return []
  const namespace = controlPlaneNamespaceOf(cluster)
  return capiDeployments.flatMap((name) => {
    const deployment = objects.find(Deployment, { namespace, name })
    return deployment === undefined ? [] : present(ensureFinalizer(Deployment, deployment, Finalizer.component))
  })
}

/** The pause is passed on, and nothing else is touched. */
function pauseActions(seen: Seen): readonly Action[] {
  const { cluster, controlPlane } = seen
  const { pausedUntil } = cluster.spec
  const isPassedOn = controlPlane === undefined || controlPlane.spec.pausedUntil === pausedUntil || pausedUntil === undefined
  const pass = isPassedOn ? [] : [patch(HostedControlPlane, refOf(controlPlane), { spec: { pausedUntil } }, 'the cluster is paused')]
  return [...pass, ...pausedAs(seen, true)]
}

function pausePlan({ pause, now, cluster }: Seen): Plan {
  const waitingFor = `the pause of HostedCluster ${clusterKeyOf(cluster)} to end`
  return pause.until === undefined ? wait(waitingFor) : requeueAfter(pause.until - now, waitingFor)
}

/** No change of any object tells that a registry is there again. */
function unansweredPlan({ releases }: Seen): Plan | undefined {
  const isUnanswered = releases.values().some(({ is }) => is === 'failed')
  return isUnanswered ? requeueAfter(registryPollMilliseconds) : undefined
}

function deletionPlan(seen: Seen): HostedClusterPlan {
  const { cluster, now } = seen
  const { actions, waitingFor, requeueAfter: milliseconds, problem: wrong, destroyed } = decideDeletion(seen)
  const bubbled = deletionConditions(seen)
  const conditions = destroyed === undefined ? bubbled : withCondition(bubbled, cluster, 'HostedClusterDestroyed', destroyed, now)
  const write = statusAction(cluster, { conditions }, 'this is how the deletion goes on', true)
  return finished(cluster, now, {
    before: [...present(write), ...actions],
    conditions,
    problems: wrong === undefined ? [] : [problem('Deletion', wrong)],
    plan: milliseconds === undefined ? {} : requeueAfter(milliseconds, waitingFor),
    // With its last finalizer the object goes, and with it whoever could be told.
    isTold: waitingFor !== undefined || wrong !== undefined,
  })
}

interface Parts {
  readonly before: readonly Action[]
  readonly operations?: readonly PlannedOperation[]
  readonly problems?: readonly Problem[]
  /** As this pass writes them. */
  readonly conditions?: Conditions
  readonly plan?: Omit<Plan, 'actions'>
  /** Whether the cluster is told how the pass ended. */
  readonly isTold?: boolean
}

/** Puts a pass together. The last action says how it ended: it is only reached when everything before it went well. */
function finished(cluster: HostedCluster, now: Instant, parts: Parts): HostedClusterPlan {
  const { before, operations = [], problems = [], conditions = cluster.status?.conditions ?? [], isTold = true } = parts
  const error = aggregate(
    problems,
    operations.filter(({ isBlocked }) => isBlocked).map(({ name }) => name),
  )
  const writes = [...before, ...operations.flatMap(({ actions }) => actions)]
  const isTouched = writes.some((action) => action.do !== 'event' && action.kind.kind === 'HostedCluster')
  const last = isTold ? concluded(cluster, conditions, error, now, !isTouched) : undefined
  return {
    ...parts.plan,
    actions: [...writes, ...present(last)],
    before,
    operations,
    problems,
    conditions,
    notes: operations.flatMap(({ notes }) => notes),
    error,
  }
}

/**
 * Says on the cluster how a pass ended: `error` is undefined when it went well. `conditions` are those that the pass has written; undefined when the
 * cluster says so already.
 */
export function concluded(
  cluster: HostedCluster,
  conditions: Conditions,
  error: string | undefined,
  now: Instant,
  isGuarded: boolean,
): Action | undefined {
  // The wire value is misspelt, and everybody reads it that way.
  const success: Verdict = { status: 'True', reason: 'ReconciliatonSucceeded', message: 'Reconciliation completed successfully' }
  const verdict: Verdict = error === undefined ? success : { status: 'False', reason: 'ReconciliationError', message: error }
  const next = withCondition(conditions, cluster, 'ReconciliationSucceeded', verdict, now)
  return next === conditions ? undefined : statusAction(cluster, { conditions: next }, 'this is how the pass ended', isGuarded)
}

function problem(operation: string, message: string): Problem {
  return { operation, isCritical: true, message }
}

function present<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value]
}
