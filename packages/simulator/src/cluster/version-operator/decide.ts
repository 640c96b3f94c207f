import { ClusterOperator, ClusterVersion } from '@windlass/api'
import { type Instant, removeCondition, setConditions } from '@windlass/core'
import { type Action, create, done, patch, type Plan, plan, refOf, requeueAfter, status, wait } from '@windlass/kube'
import { complaints, injected, type Injection, injectionsOf } from '../injections/index.ts'
import type { Payload } from '../payload/index.ts'
import { type Settings, untilNext } from '../settings.ts'
import type { Release } from '../updates/index.ts'
import { type Condition, say, type Said } from './condition.ts'
import type { Operators } from './hold-ups.ts'
import { type History, recorded } from './history.ts'
import { offered } from './offered.ts'
import { progressAnnotation, recordOf, recordText, workOf } from './progress.ts'
import { considered, loaded, type Request } from './request.ts'
import { begun, brokenMessage, type Stage, stageOf } from './stage.ts'
import { objections } from './upgradeable.ts'

/** Who says which release the cluster should have: its own spec, or the control plane that hosts it. */
export type Asking = 'spec' | { readonly release: Release | undefined; readonly clusterID: string }

export interface Observed {
  readonly clusterVersion: ClusterVersion | undefined
  readonly operators: Operators
  readonly payload: Payload
  readonly settings: Settings
  readonly asking: Asking
}

type Injections = readonly Injection<'ClusterVersion'>[]

/**
 * What the cluster version operator does next. The status has four parts, each decided elsewhere: what is asked for (`request.ts`), how far it is (`stage.ts`), what could be next
 * (`offered.ts`), and what stands against that (`upgradeable.ts`). All of it is one write, so that nobody sees the half of a beginning or of an end.
 */
export function decide(observed: Observed, now: Instant): Plan {
  const { clusterVersion, asking, settings } = observed
  if (clusterVersion === undefined) return born(asking)
  if (clusterVersion.metadata.deletionTimestamp !== undefined) return done
  const { injections, problems } = injectionsOf('ClusterVersion', clusterVersion)
  const told = complaints(clusterVersion, problems)
  const wiped = wipe(clusterVersion, injections)
  if (wiped !== undefined) return plan(...told, wiped)
  const request = asking === 'spec' ? considered(clusterVersion, settings, injections, now) : hosted(clusterVersion, asking.release)
  if (request === undefined) return plan(...told, wait('a release to install: nobody has named its image'))
  return plan(...told, next(observed, clusterVersion, request, injections, now))
}

function next(observed: Observed, clusterVersion: ClusterVersion, request: Request, injections: Injections, now: Instant): Plan {
  const { payload, operators, settings } = observed
  const { spec, status: before, metadata } = clusterVersion
  const { release } = request
  const record = recordOf(clusterVersion)
  const work = workOf(release, spec)
  const history = recorded(before?.history ?? [], release, request, now)
  const isNew = before?.versionHash !== work
  const progress = !isNew && record.progress?.work === work ? record.progress : begun(work, history, payload, now)
  const stage = stageOf({ clusterVersion, release, progress, history, isNew, operators, payload, settings, injections }, now)
  const updates = offered(clusterVersion, release.version, { settings, injections, look: record.look }, now)
  const look = updates.look ?? record.look
  const text = recordText({ progress: stage.progress, ...(look === undefined ? {} : { look }) })
  const said = [
    available(stage.history, injections),
    ...reported(stage, request),
    updates.retrieved,
    request.accepted,
    objections(clusterVersion, operators, injections),
  ].filter((each) => each !== undefined)
  const after = {
    desired: release,
    history: stage.history,
    observedGeneration: metadata.generation ?? 0,
    versionHash: work,
    conditions: setConditions<Condition>(withoutOld(before?.conditions ?? [], said), said, now),
    availableUpdates: updates.availableUpdates,
    conditionalUpdates: updates.conditionalUpdates,
  }
  return plan(
    status(ClusterVersion, clusterVersion, after, stage.reason, { ifUnchanged: true }),
    metadata.annotations?.[progressAnnotation] === text ? undefined : remembered(clusterVersion, text),
    ...missing(operators, payload, stage.progress.step),
    requeueAfter(untilNext(now, [request.at, updates.at, ...stage.moments]), stage.waitingFor === '' ? undefined : stage.waitingFor),
  )
}

/** A spec that makes no sense is told instead of progress. */
function reported({ report }: Stage, { release, invalid }: Request): readonly Said[] {
  if (invalid === undefined) return [report.failing, report.progressing]
  return [
    report.failing,
    say('Progressing', 'True', 'InvalidClusterVersion', `Reconciling ${release.version}: the cluster version is invalid`),
    say('Invalid', 'True', 'InvalidClusterVersion', invalid),
  ]
}

/** Of a release that has got everywhere; what comes after it does not make it unavailable. */
function available(history: History, injections: Injections): Said {
  if (injected(injections, 'broken') !== undefined) return say('Available', 'False', '', brokenMessage)
  const last = history.find(({ state }) => state === 'Completed')
  return last === undefined ? say('Available', 'False') : say('Available', 'True', '', `Done applying ${last.version ?? ''}`)
}

/** Conditions that are only there while there is something to say. */
const occasional = ['Invalid', 'Upgradeable', 'RetrievedUpdates']

function withoutOld(conditions: readonly Condition[], said: readonly Said[]): readonly Condition[] {
  return occasional
    .filter((type) => !said.some((each) => each.type === type))
    .reduce((left, type) => removeCondition(left, type), conditions)
}

function remembered(clusterVersion: ClusterVersion, text: string): Action {
  const annotations = { [progressAnnotation]: text }
  return patch(
    ClusterVersion,
    refOf(clusterVersion),
    { metadata: { annotations } },
    'whoever goes on must know where it is, and operators whose turn it is',
  )
}

/** Operators that the release brings along; they fill in the rest themselves. */
function missing(operators: Operators, { operators: known, mark }: Payload, step: number): readonly Action[] {
  return [...known].flatMap(([name, operator]) => {
    if (operator.step > step || operators.has(name)) return []
    return [create(ClusterOperator, { metadata: { name, annotations: { [mark]: 'true' } }, spec: {} }, 'it is part of the release')]
  })
}

function wipe(clusterVersion: ClusterVersion, injections: Injections): Action | undefined {
  if (clusterVersion.status === undefined) return undefined
  if (injected(injections, 'no-conditions') !== undefined)
    return status(ClusterVersion, clusterVersion, { conditions: [] }, 'nothing is to be said')
  if (injected(injections, 'no-history') !== undefined)
    return status(ClusterVersion, clusterVersion, { history: [] }, 'nothing is to be remembered')
  return undefined
}

/** The version operator of a hosted cluster is part of the release that the control plane runs: there is nothing to fetch and nothing to refuse. */
function hosted({ status }: ClusterVersion, asked: Release | undefined): Request | undefined {
  const release = asked ?? status?.desired
  if (release === undefined) return undefined
  // What is known besides stays, such as the errata.
  const known = status?.desired.image === release.image && status.desired.version === release.version ? status.desired : release
  return { release: known, accepted: loaded(known), verified: true, risks: '' }
}

/** A version operator makes its object itself when there is none. One whose spec decides has nothing to go by. */
function born(asking: Asking): Plan {
  if (asking === 'spec') return done
  if (asking.release === undefined) return wait('a release: the hosted control plane asks for none')
  return plan(
    create(ClusterVersion, { metadata: { name: 'version' }, spec: { clusterID: asking.clusterID } }, 'the cluster has no version yet'),
  )
}
