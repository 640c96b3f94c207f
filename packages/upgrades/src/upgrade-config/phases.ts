import type { UpgradeConfig } from '@windlass/api'
import { formatTime, type Instant } from '@windlass/core'
import { isEnabled, type OperatorConfig } from '../config/index.ts'
import { atBestEffort, type Effect, gauge } from '../effects/effect.ts'
import { hasResult, resultEffects, resultQuery } from '../metrics/result.ts'
import { clearGauge, type Series, setGauge } from '../metrics/series.ts'
import type { Facts } from '../observed/facts.ts'
import { look, type Look } from '../observed/look.ts'
import { preUpgradeHealthCheck } from '../steps/pre-upgrade-health-check.ts'
import { validate } from '../validation/index.ts'
import { desiredVersion, type History, type HistoryEntry, type Phase, withEntry, withRenamedEntry } from './history.ts'
import { isFarAhead, passMinutes, readinessOf, untilStart } from './schedule.ts'

export interface PhaseView {
  readonly upgradeConfig: UpgradeConfig
  /** With an entry for the desired version, see `openEntry`. */
  readonly history: History
  readonly entry: HistoryEntry
  readonly config: OperatorConfig
  readonly facts: Facts
  /** What the gauges say. */
  readonly series: Series
  readonly now: Instant
}

/** What a pass comes to, but for the steps of an upgrade. */
export interface PhaseDecision {
  readonly is: 'decided'
  /** To be stored; the same list when there is nothing to store. */
  readonly history: History
  readonly effects: readonly Effect[]
  /** After that, in the same pass, the steps are run. */
  readonly runsUpgrader: boolean
  readonly requeueAfter?: number
  /** Fails the pass, which is tried again soon. */
  readonly problem?: string
  /** What it waits for, in words. */
  readonly waitingFor?: string
  /** Worth a line in the log, and no more. */
  readonly note?: string
}

type Decide = (view: PhaseView) => PhaseDecision | Look

/** What is done in each phase. */
const transitions: Readonly<Record<Phase, Decide>> = { New, Pending, Upgrading, Upgraded, Failed, Unknown }

export function decidePhase(view: PhaseView): PhaseDecision | Look {
  const { phase } = view.entry
  // An object that another operator wrote may be in a phase that is not ours.
  return Object.hasOwn(transitions, phase) ? transitions[phase](view) : Unknown(view)
}

/** Looks early at the health of a cluster that has time left, so that people can repair what is wrong. Whatever that finds, the phase ends. */
function New(view: PhaseView): PhaseDecision | Look {
  const { config, upgradeConfig, now } = view
  const isEarly = isEnabled(config, 'PreHealthCheck') && isFarAhead(readinessOf(upgradeConfig, config, now).remaining, config)
  const check = isEarly ? preUpgradeHealthCheck.decide(view) : undefined
  if (check?.is === 'look') return check
  const effects = atBestEffort(check?.effects ?? [])
  const finding = check?.is === 'failed' ? check.message : check?.is === 'not done' ? check.detail : undefined
  const note = finding === undefined ? {} : { note: `health check ahead of the upgrade: ${finding}` }
  return decided(view, { history: inPhase(view, 'Pending'), effects, requeueAfter: passMinutes * config.minute, ...note })
}

function Pending(view: PhaseView): PhaseDecision | Look {
  const { upgradeConfig, config, now } = view
  const validation = validate(view)
  if (validation.is === 'look') return validation
  const labels = { upgradeconfig_name: upgradeConfig.metadata.name ?? '' }
  const isFailed = (value: 0 | 1): Effect => gauge(setGauge('upgradeoperator_upgradeconfig_validation_failed', labels, value))
  if (validation.is === 'invalid') {
    const { why, isError } = validation
    return decided(view, {
      effects: [isFailed(1)],
      ...(isError ? { problem: why } : { waitingFor: `an UpgradeConfig that is valid: ${why}` }),
    })
  }
  const named: PhaseView = renamed(view, validation.version)
  const effects = [...validation.effects, isFailed(0)]
  if (validation.is === 'not available') return decided(named, { effects, waitingFor: validation.why })
  const { isReady, remaining } = readinessOf(upgradeConfig, config, now)
  if (isReady) return ready(named, effects)
  const near = untilStart(remaining, config)
  const waitingFor = `its time, ${upgradeConfig.spec.upgradeAt}`
  return decided(named, { history: inPhase(named, 'Pending'), effects, waitingFor, ...(near === undefined ? {} : { requeueAfter: near }) })
}

/** It is time. The provider is asked once more, so that an upgrade that was called off a moment ago does not begin. */
function ready(view: PhaseView, effects: readonly Effect[]): PhaseDecision | Look {
  const { facts, upgradeConfig, entry, now } = view
  const { refresh } = facts
  if (refresh === undefined) return look('refresh')
  if (refresh.is === 'failed') return decided(view, { effects, problem: refresh.problem })
  if (refresh.is === 'changed') {
    const isSame = refresh.uid !== undefined && refresh.uid === upgradeConfig.metadata.uid
    return decided(view, { effects, history: isSame ? inPhase(view, 'New') : view.history })
  }
  const started: HistoryEntry = { ...entry, phase: 'Upgrading', startTime: formatTime(now) }
  // The check is made anew: what it found long before the start is past.
  const past = gauge(clearGauge('upgradeoperator_healthcheck_failed', { state: 'New' }))
  return decided(view, {
    effects: [...effects, past],
    history: withEntry(view.history, started),
    runsUpgrader: true,
    requeueAfter: passMinutes * view.config.minute,
  })
}

function Upgrading(view: PhaseView): PhaseDecision {
  return decided(view, { runsUpgrader: true, requeueAfter: passMinutes * view.config.minute })
}

/** Says once how it went. */
function Upgraded(view: PhaseView): PhaseDecision | Look {
  const { upgradeConfig, entry, facts, series, now } = view
  if (hasResult(series, desiredVersion(upgradeConfig)) || resultQuery(entry, now) === undefined) return decided(view, {})
  if (facts.pagingAlerts === undefined) return look('pagingAlerts')
  if ('problem' in facts.pagingAlerts) return decided(view, { waitingFor: `the alerts of the upgrade: ${facts.pagingAlerts.problem}` })
  return decided(view, { effects: resultEffects(upgradeConfig, facts.pagingAlerts.value) })
}

/** Over. To try again, the UpgradeConfig is deleted and created anew. */
function Failed(view: PhaseView): PhaseDecision {
  return decided(view, {})
}

/** Written by somebody else, who should say what it means. */
function Unknown(view: PhaseView): PhaseDecision {
  return decided(view, { waitingFor: `somebody to explain the unknown status ${view.entry.phase}` })
}

function decided(view: PhaseView, parts: Partial<Omit<PhaseDecision, 'is'>>): PhaseDecision {
  return { is: 'decided', history: view.history, effects: [], runsUpgrader: false, ...parts }
}

function inPhase({ history, entry }: PhaseView, phase: Phase): History {
  return entry.phase === phase ? history : withEntry(history, { ...entry, phase })
}

/** The view after the version of an image became known. */
function renamed(view: PhaseView, version: string): PhaseView {
  const from = desiredVersion(view.upgradeConfig)
  if (from === version) return view
  const history = withRenamedEntry(view.history, from, version)
  const upgradeConfig = {
    ...view.upgradeConfig,
    spec: { ...view.upgradeConfig.spec, desired: { ...view.upgradeConfig.spec.desired, version } },
  }
  const entry = history.find((candidate) => candidate.version === version) ?? view.entry
  return { ...view, upgradeConfig, history, entry }
}
