import type { HostedCluster } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { type Action, done, event, type Plan, plan, requeueAfter, wait } from '@windlass/kube'
import { chain, platformRows, withOutcome } from './conditions/index.ts'
import { adoptionMarks, isTuningEnabled } from './config/index.ts'
import { decideDeletion } from './deletion.ts'
import { isIgnitionReached, pauseActions } from './machines/index.ts'
import type { ObservedNodePool } from './observed.ts'
import { Pass } from './pass.ts'
import { rollout } from './rollout.ts'
import { isUnmanaged, look, type Seen, secretOf } from './seen.ts'
import { isInScope, type NodePoolSettings } from './settings.ts'
import type { Target } from './target.ts'
import { adoptedTemplateMarks } from './templates/index.ts'
import { decoded, secretActions } from './token/index.ts'
import { mirrorActions, profileConditions, tuningMirrors } from './tuning/index.ts'
import { PoolAnnotation } from './wire.ts'

/** What a pass over a pool decided. */
export interface NodePoolPlan extends Plan {
  /** What the pass ends with, even if everything was carried out: the pool is tried again because of it. An event says so already. */
  readonly error: string | undefined
}

/** What chance has to give to a pass. */
export interface Drawn {
  /** A token, used if one is missing. */
  readonly token: string
}

const untilClusterAppears = 30_000
/** Their going wakes the pool; this is for the case that nobody hears of it. */
const untilMachinesAreGone = 10_000
const nothing: NodePoolPlan = { ...done, error: undefined }

/** Decides what to do about a pool: judge it, write the Secrets that its machines start with, and have the machines made; or take it down. */
export function decideNodePool(observed: ObservedNodePool, now: Instant, settings: NodePoolSettings, drawn: Drawn): NodePoolPlan {
  const { pool, cluster } = observed
  if (settings.mode === 'Observe' || (cluster !== undefined && !isInScope(cluster, settings))) return nothing
  if (pool.metadata.deletionTimestamp !== undefined) return deletionPlan(observed)
  if (cluster === undefined) {
    const waitingFor = `HostedCluster ${pool.metadata.namespace ?? ''}/${pool.spec.clusterName}, which does not exist`
    return { ...requeueAfter(untilClusterAppears, waitingFor), error: undefined }
  }
  return livingPlan(look(observed, cluster, settings, now), drawn)
}

function deletionPlan(observed: ObservedNodePool): NodePoolPlan {
  const { actions, waitingFor, error } = decideDeletion(observed)
  const told = [waitingFor, error].flatMap((text) => (text === undefined ? [] : [event(observed.pool, 'Warning', 'ReconcileError', text)]))
  const again = waitingFor === undefined ? undefined : requeueAfter(untilMachinesAreGone, waitingFor)
  return { ...plan(...actions, ...told, again), error }
}

function livingPlan(seen: Seen, drawn: Drawn): NodePoolPlan {
  const target = seen.target()
  if (target.is === 'found' && 'deferred' in target.value) {
    const waitingFor = target.value.deferred
    return {
      ...plan(event(seen.pool, 'Warning', 'AdoptionDeferred', `Nothing is changed: ${waitingFor}.`), wait(waitingFor)),
      error: undefined,
    }
  }
  const pass = new Pass(seen)
  for (const step of steps) {
    const stop = step(seen, pass, drawn)
    if (stop !== undefined) return pass.finish(stop === 'done' ? undefined : stop)
  }
  return pass.finish()
}

type Step = (seen: Seen, pass: Pass, drawn: Drawn) => ReturnType<Pass['judgeRows']> | 'done'

/** In this order; each may end the pass. What was said until then is written. */
const steps: readonly Step[] = [
  judgeChain,
  needInfraID,
  needCredentials,
  judgePlatform,
  markAdoption,
  mirrorTuning,
  pauseMachines,
  writeSecrets,
  finishUnmanaged,
  rollOut,
]

function judgeChain(_seen: Seen, pass: Pass) {
  return pass.judgeRows(chain)
}

function needInfraID({ cluster }: Seen) {
  return cluster.spec.infraID ? undefined : ({ is: 'quiet', waitingFor: 'spec.infraID of its cluster' } as const)
}

/** Machines pull images with these: without them they would not start, and nobody would know why. */
function needCredentials({ cluster, key, pullSecret, trustBundle }: Seen) {
  const problem = credentialsProblem(cluster, pullSecret?.data, trustBundle?.data)
  return problem === undefined ? undefined : ({ is: 'error', error: `NodePool ${key}: ${problem}` } as const)
}

function judgePlatform(_seen: Seen, pass: Pass) {
  return pass.judgeRows(platformRows)
}

/** Also of a pool that is paused: what changes from now on is a change. */
function markAdoption(seen: Seen, pass: Pass) {
  const target = targetOf(seen)
  if (target?.adoption.is === 'adopted' && target.adoption.isNew) pass.annotate({ ...adoptionMarks(target), ...adoptedTemplateMarks(seen) })
  return undefined
}

/** Also of a pool that is paused: tuning is not its machines' business alone. */
function mirrorTuning(seen: Seen, pass: Pass) {
  if (!isTuningEnabled(seen.cluster)) return undefined
  const mirrors = tuningMirrors(seen)
  if (mirrors.is === 'failed') {
    pass.say('ValidTuningConfig', { status: 'False', reason: 'ValidationFailed', message: mirrors.problem })
    return { is: 'error', error: `NodePool ${seen.key}: ${mirrors.problem}` } as const
  }
  pass.say('ValidTuningConfig', { status: 'True', reason: 'AsExpected', message: '' })
  pass.act(mirrorActions(seen, mirrors.value))
  const said = profileConditions(seen, mirrors.value)
  if (said.is === 'failed') return { is: 'error', error: `NodePool ${seen.key}: ${said.problem}` } as const
  for (const [type, say] of said.value) pass.write(withOutcome(pass.conditions, type, say, seen))
  return undefined
}

function pauseMachines(seen: Seen, pass: Pass) {
  const { pause, now, key } = seen
  if (!pause.isPaused) return undefined
  pass.act(pauseActions(seen))
  const waitingFor = `the pause of NodePool ${key} to end`
  if (pause.until === undefined) return { is: 'quiet', waitingFor } as const
  return { is: 'later', milliseconds: pause.until - now, waitingFor } as const
}

function writeSecrets(seen: Seen, pass: Pass, { token }: Drawn) {
  const target = targetOf(seen)
  if (target === undefined) return 'done'
  if (seen.pool.status?.version !== target.version.text) pass.annotate(newWays(seen))
  pass.act([...sameVersionEvent(seen, target), ...secretActions(seen, target, token)])
  return undefined
}

/** What is done otherwise than for old pools: all machines are made anew, so that nothing is by surprise. */
function newWays({ pool }: Seen): Readonly<Record<string, string>> {
  return {
    [PoolAnnotation.canonicalImages]: 'true',
    ...(pool.spec.platform.type === 'KubeVirt' ? { [PoolAnnotation.topologySpread]: 'true' } : {}),
  }
}

/** Nobody tells how far machines are that somebody else makes: they count as done at once. */
function finishUnmanaged(seen: Seen, pass: Pass) {
  const target = targetOf(seen)
  if (target === undefined || !isUnmanaged(seen)) return undefined
  pass.complete(target, undefined)
  return 'done'
}

function rollOut(seen: Seen, pass: Pass) {
  const target = targetOf(seen)
  if (target === undefined) return undefined
  const result = rollout(seen, target, isIgnitionReached(pass.conditions))
  for (const [type, { say }] of result.says) pass.write(withOutcome(pass.conditions, type, say, seen))
  pass.act(result.actions)
  if (result.available !== undefined) pass.setReplicas(result.available)
  if (result.completed !== undefined) pass.complete(target, result.completed)
  return result.stop
}

function targetOf({ target }: Seen): Target | undefined {
  const found = target()
  return found.is === 'found' && !('deferred' in found.value) ? found.value : undefined
}

type Data = Readonly<Record<string, string>> | undefined

function credentialsProblem(
  { spec, metadata: { namespace = '' } }: HostedCluster,
  pullSecret: Data,
  trustBundle: Data,
): string | undefined {
  const place = `Secret ${namespace}/${spec.pullSecret.name ?? ''}`
  if (pullSecret?.['.dockerconfigjson'] === undefined) {
    return `the pull secret cannot be used: ${place} ${pullSecret === undefined ? 'does not exist' : 'has no key .dockerconfigjson'}`
  }
  const bundle = spec.additionalTrustBundle?.name
  if (!bundle || trustBundle?.['ca-bundle.crt'] !== undefined) return undefined
  const problem = trustBundle === undefined ? 'does not exist' : 'has no key ca-bundle.crt'
  return `the additional trust bundle cannot be used: ConfigMap ${namespace}/${bundle} ${problem}`
}

/** Another image of the same version rolls nothing out. People should know that what they asked for does nothing. Told once for each image. */
function sameVersionEvent(seen: Seen, { tokenSecret, pullspec, version }: Target): readonly Action[] {
  const { pool } = seen
  const secret = secretOf(seen, tokenSecret)
  const served = secret === undefined ? undefined : decoded(secret, 'release')
  const before = findCondition(pool.status?.conditions, 'ValidReleaseImage')?.message
  if (served === undefined || served === pullspec || before === `Using release image: ${pullspec}`) return []
  const note = `${pullspec} is version ${version.text}, as ${served} is: nodes are not made anew, and new ones get the latter. To roll it out, choose a release of another version.`
  return [event(pool, 'Warning', 'SameVersionReleaseImage', note)]
}
