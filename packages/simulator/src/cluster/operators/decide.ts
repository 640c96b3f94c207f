import { ClusterOperator, type ClusterVersion, type MachineConfigPool } from '@windlass/api'
import { findCondition, type Instant, isTrue, parseTime, removeCondition, setConditions } from '@windlass/core'
import { type Action, done, equalJson, patch, type Plan, plan, refOf, requeueAfter, status } from '@windlass/kube'
import { atSpeed } from '../../profile/index.ts'
import { complaints, injected, type Injection, injectionsOf, slowness, withoutInjection } from '../injections/index.ts'
import { type PartVersion, type Payload, type PayloadOperator, versionsAt } from '../payload/index.ts'
import { type Settings, untilNext } from '../settings.ts'
import { type Order, orderFor } from '../version-operator/index.ts'
import { type Condition, here, resting, type Said, say, well } from './condition.ts'
import { type Ailment, ailmentOfPools, workOnPools } from './machine-config.ts'
import { type Work, workOn } from './work.ts'

export interface Observed {
  readonly operator: ClusterOperator
  readonly clusterVersion: ClusterVersion | undefined
  /** Of the operator that waits for them; empty for others. */
  readonly pools: readonly MachineConfigPool[]
  /** Nodes that are away, for operators that have something on every node; 0 for others. */
  readonly nodesAway: number
  readonly payload: Payload
  readonly settings: Settings
}

type Injections = readonly Injection<'ClusterOperator'>[]

/** What an operator says of itself. One that came with no release speaks for itself, but may be made as ill as any other. */
export function decide(observed: Observed, now: Instant): Plan {
  const { operator, clusterVersion, pools, payload, settings } = observed
  if (operator.metadata.deletionTimestamp !== undefined) return done
  const { injections, problems } = injectionsOf('ClusterOperator', operator)
  const told = complaints(operator, problems)
  const { name = '' } = operator.metadata
  const known = payload.operators.get(name)?.operator
  const over = injections.find((injection) => isOver(operator, injection, settings, now))
  if (over !== undefined) return plan(...told, healed(operator, over))
  const order = known === undefined ? undefined : orderFor(name, clusterVersion, payload)
  const lacks = known !== undefined && order !== undefined && !hasAll(operator, versionsAt(known, order.release))
  const work = lacks ? workOf(observed, known, order, injections, now) : idle
  const ailing = known?.sort === 'machine-config' ? ailmentOfPools(pools, order, settings, now) : { moments: [] }
  const isReached = order !== undefined && work.isDone && (ailing.ailment === undefined || !lacks)
  const versions = versionsOf(operator, known, order, isReached, injections)
  const said = [
    availability(operator, work, isReached, injections),
    progress(observed, known, versions, lacks && !isReached ? work.message : undefined),
    health(ailing.ailment, injections),
    objection(injections),
  ]
    .filter((each) => each !== undefined)
    .filter((each) => known !== undefined || isOurs(operator, each, injections))
  const before = operator.status?.conditions ?? []
  const isObjectionOver = !said.some(({ type }) => type === 'Upgradeable') && isSaidByUs(operator, 'Upgradeable')
  const kept = isObjectionOver ? removeCondition(before, 'Upgradeable') : before
  return plan(
    ...told,
    status(
      ClusterOperator,
      operator,
      { conditions: setConditions<Condition>(kept, said, now), ...(known === undefined ? {} : { versions }) },
      isReached && lacks ? 'it has got to the release' : 'this is how it is',
      {
        ifUnchanged: true,
      },
    ),
    requeueAfter(untilNext(now, [...work.moments, ...ailing.moments, ...endsOf(operator, injections, settings)])),
  )
}

const idle: Work = { isDone: true, message: undefined, isAway: false, moments: [] }

function workOf(
  { operator, clusterVersion, pools, settings }: Observed,
  known: PayloadOperator,
  order: Order,
  injections: Injections,
  now: Instant,
): Work {
  const identity = `${clusterVersion?.spec.clusterID ?? ''}/${operator.metadata.name ?? ''}`
  const isStuck = injected(injections, 'stuck') !== undefined
  const work = workOn(known, order, { settings, identity, slowness: slowness(injections), isStuck }, now)
  return known.sort === 'machine-config' ? workOnPools(work, pools, order) : work
}

function hasAll({ status: reported }: ClusterOperator, wanted: readonly PartVersion[]): boolean {
  return wanted.every((part) => reported?.versions?.some((each) => equalJson(each, part)) === true)
}

function versionsOf(
  { status: reported }: ClusterOperator,
  known: PayloadOperator | undefined,
  order: Order | undefined,
  isReached: boolean,
  injections: Injections,
): readonly PartVersion[] {
  const before = reported?.versions ?? []
  const isSilent = injected(injections, 'silent') !== undefined
  const after = known === undefined || order === undefined || !isReached ? before : versionsAt(known, order.release)
  return isSilent ? after.filter(({ name }) => name !== 'operator') : after
}

/** Once it has been there, it stays, unless something happens. */
function availability({ status: reported }: ClusterOperator, { isAway }: Work, isReached: boolean, injections: Injections): Said {
  const injection = injected(injections, 'unavailable')
  if (injection !== undefined) return say('Available', 'False', injection.reason ?? 'NoReplicasAvailable', gone)
  if (isAway)
    return say(
      'Available',
      'False',
      'Restarting',
      'The last replica of the old version has ended, the first of the new one is not ready yet',
    )
  const hasBeen = isReached || isTrue(reported?.conditions, 'Available') || (reported?.versions ?? []).length > 0
  return hasBeen ? here : say('Available', 'False', 'Initializing', 'Nothing has been started yet')
}

function progress(
  { nodesAway }: Observed,
  known: PayloadOperator | undefined,
  versions: readonly PartVersion[],
  message: string | undefined,
): Said {
  if (message !== undefined) return say('Progressing', 'True', 'Updating', message)
  if (known?.sort === 'daemon-set' && nodesAway > 0)
    return say('Progressing', 'True', 'Deploying', `DaemonSet is not available (awaiting ${nodesAway} nodes)`)
  return resting(versions)
}

function health(ailment: Ailment | undefined, injections: Injections): Said {
  const injection = injected(injections, 'degraded')
  if (injection !== undefined) return say('Degraded', 'True', injection.reason ?? 'Unhealthy', ill)
  return ailment === undefined ? well : say('Degraded', 'True', ailment.reason, ailment.message)
}

function objection(injections: Injections): Said | undefined {
  const injection = injected(injections, 'not-upgradeable')
  return injection === undefined ? undefined : say('Upgradeable', 'False', injection.reason ?? 'NotUpgradeable', against)
}

/** Of an operator that is not ours: what was asked for, and what is left of it when that is taken back. */
function isOurs(operator: ClusterOperator, { type, status: value }: Said, injections: Injections): boolean {
  if (injections.some(({ mode }) => conditionOf[mode]?.[0] === type && conditionOf[mode][1] === value)) return true
  return isSaidByUs(operator, type)
}

/** By its words: what others say is theirs to take back. */
function isSaidByUs({ status: reported }: ClusterOperator, type: string): boolean {
  const { message } = findCondition(reported?.conditions, type) ?? {}
  return message === gone || message === ill || message === against
}

const gone = 'No replicas are available'
const ill = 'Something has been wrong for a while'
const against = 'Something here does not work with the next minor'

const conditionOf: Readonly<Record<string, readonly [type: string, status: string]>> = {
  unavailable: ['Available', 'False'],
  degraded: ['Degraded', 'True'],
  'not-upgradeable': ['Upgradeable', 'False'],
}

/** Since when an injection shows; undefined when it does not, or when nothing tells. */
function shownSince({ status: reported }: ClusterOperator, { mode }: Injection): Instant | undefined {
  const [type = '', value] = conditionOf[mode] ?? []
  const condition = findCondition(reported?.conditions, type)
  return condition?.status === value ? parseTime(condition?.lastTransitionTime) : undefined
}

function endOf(operator: ClusterOperator, injection: Injection, settings: Settings): Instant | undefined {
  const since = shownSince(operator, injection)
  return injection.for === undefined || since === undefined ? undefined : since + atSpeed(settings, injection.for)
}

function endsOf(operator: ClusterOperator, injections: Injections, settings: Settings): readonly (Instant | undefined)[] {
  return injections.map((injection) => endOf(operator, injection, settings))
}

function isOver(operator: ClusterOperator, injection: Injection, settings: Settings, now: Instant): boolean {
  return (endOf(operator, injection, settings) ?? Number.POSITIVE_INFINITY) <= now
}

function healed(operator: ClusterOperator, over: Injection): Action {
  return patch(
    ClusterOperator,
    refOf(operator),
    { metadata: { annotations: withoutInjection(operator, over) } },
    `the time of "${over.text}" is over`,
  )
}
