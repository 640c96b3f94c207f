import type { ClusterView, StepView, UpgradeView } from '@windlass/fleet/contract'
import { parseTime } from '@windlass/core'
import type { JSX } from 'preact'
import { type ClusterParts, clusterPath } from '../../src/address/index.ts'
import { type Extent, placeOf } from '../../src/timeline/index.ts'
import { momentOf, spanOf, stepTone, type Tone, whenOf } from '../../src/words/index.ts'
import { now } from '../clock.ts'
import { NoCluster } from '../cluster/page.tsx'
import { useCluster } from '../cluster/use-cluster.ts'
import { StaleNotice } from '../parts/live.tsx'
import { Empty, Loading } from '../parts/panel.tsx'
import { PageTitle } from '../parts/shell.tsx'
import { Badge, Sign } from '../parts/sign.tsx'

/** A managed upgrade: its steps from first to last, and what the current one waits for. */
export function UpgradePage({ parts }: { readonly parts: ClusterParts }): JSX.Element {
  const { view, problem } = useCluster(parts)
  if (problem !== undefined) return <NoCluster parts={parts} code={problem.code} message={problem.message} />
  const name = parts.at(-1) ?? ''
  return (
    <div class="page upgrade">
      <nav aria-label="Breadcrumb">
        <ol class="crumbs">
          <li>
            <a href="/">Fleet</a>
          </li>
          <li>
            <a href={clusterPath(parts)}>{name}</a>
          </li>
        </ol>
      </nav>
      <div class="title-row">
        <PageTitle tab={`Upgrade of ${name}`}>Upgrade of {name}</PageTitle>
        {view?.upgrade !== undefined ? <Badge tone={phaseTone(view.upgrade)}>{view.upgrade.phase}</Badge> : null}
      </div>
      <StaleNotice />
      {view === undefined ? (
        <Loading what={`the upgrade of ${name}`} />
      ) : view.upgrade === undefined ? (
        <NoUpgrade view={view} parts={parts} />
      ) : (
        <Steps upgrade={view.upgrade} />
      )}
    </div>
  )
}

function phaseTone({ phase, steps }: UpgradeView): Tone {
  if (steps.some(({ state }) => state === 'Failed') || phase === 'Failed') return 'bad'
  return phase === 'Upgraded' ? 'good' : phase === 'Upgrading' ? 'busy' : 'quiet'
}

function NoUpgrade({ view, parts }: { readonly view: ClusterView; readonly parts: ClusterParts }): JSX.Element {
  return (
    <Empty title="It has no managed upgrade">
      <p>
        {view.row.kind === 'Hosted'
          ? 'Hosted clusters are upgraded by their release image, without steps. How that goes is on the page of the cluster.'
          : 'An UpgradeConfig on the cluster would plan one.'}
      </p>
      <a class="button primary" href={clusterPath(parts)}>
        To {view.row.name}
      </a>
    </Empty>
  )
}

function Steps({ upgrade }: { readonly upgrade: UpgradeView }): JSX.Element {
  const { to, type, steps, scheduledTime, startedTime, completionTime } = upgrade
  const done = steps.filter(({ state }) => state === 'Done').length
  const current = steps.find(({ state }) => state === 'Running' || state === 'Failed')
  const whole = extentOf(upgrade)
  return (
    <>
      <dl class="facts">
        <div>
          <dt>To</dt>
          <dd class="fact">{to}</dd>
          <dd class="dim">{type}</dd>
        </div>
        <div>
          <dt>{startedTime === undefined ? 'Begins' : 'Began'}</dt>
          <dd class="fact">{whenOf(startedTime ?? scheduledTime, now.value) ?? 'not planned'}</dd>
          <dd class="dim">{momentOf(startedTime ?? scheduledTime)}</dd>
        </div>
        <div>
          <dt>{completionTime === undefined ? 'Takes' : 'Took'}</dt>
          <dd class="fact">{spanOf(startedTime, completionTime, now.value) ?? 'not begun'}</dd>
          <dd class="dim">
            {startedTime === undefined ? '' : completionTime === undefined ? 'so far' : `until ${momentOf(completionTime)}`}
          </dd>
        </div>
        <div>
          <dt>Steps</dt>
          <dd class="fact">
            {done} of {steps.length}
          </dd>
          <dd class="dim">done</dd>
        </div>
      </dl>
      {current?.message === undefined ? null : (
        <section class={`panel current tone-${stepTone(current.state)}`} aria-label="The current step">
          <h2>
            {current.state === 'Failed' ? 'Failed in' : 'Now in'} “{current.name}”
          </h2>
          <p>{current.message}</p>
        </section>
      )}
      <section class="panel" aria-label="Steps">
        <ol class="steps">
          {steps.map((step) => (
            <Step key={step.name} step={endedWith(upgrade, step)} whole={whole} />
          ))}
        </ol>
      </section>
    </>
  )
}

/** A step that failed has no end of its own: it went on until the upgrade was given up. */
function endedWith({ completionTime }: UpgradeView, step: StepView): StepView {
  if (step.startedTime === undefined || step.completionTime !== undefined || completionTime === undefined) return step
  return { ...step, completionTime }
}

function Step({ step, whole }: { readonly step: StepView; readonly whole: Extent }): JSX.Element {
  const { name, state, startedTime, completionTime, message } = step
  const tone = stepTone(state)
  const took = state === 'Waiting' ? undefined : spanOf(startedTime, completionTime, now.value)
  return (
    <li class={`step step-${state.toLowerCase()} tone-${tone}`} aria-current={state === 'Running' ? 'step' : undefined}>
      <span class="step-sign">
        <Sign tone={tone} />
      </span>
      <div class="step-text">
        <p class="step-name">
          {name} <span class="unseen">{state}</span>
        </p>
        {message === undefined ? null : <p class="step-message">{message}</p>}
      </div>
      <span class="step-time dim nowrap">{state === 'Waiting' || startedTime === undefined ? '' : momentOf(startedTime)?.slice(-5)}</span>
      <span class="step-bar" aria-hidden="true">
        {state === 'Waiting' ? null : <span style={placeIn(step, whole)} />}
      </span>
      <span class="step-took nowrap">{took ?? ''}</span>
    </li>
  )
}

/** From the start of the first step to the end of the last, or to now. */
function extentOf(upgrade: UpgradeView): Extent {
  const steps = upgrade.steps.map((step) => endedWith(upgrade, step))
  const starts = steps.flatMap(({ startedTime }) => parseTime(startedTime) ?? [])
  const ends = steps.flatMap(({ startedTime, completionTime }) =>
    startedTime === undefined ? [] : (parseTime(completionTime) ?? now.value),
  )
  const from = Math.min(...(starts.length === 0 ? [now.value] : starts))
  return { from, to: Math.max(from + 1000, ...ends) }
}

function placeIn({ startedTime, completionTime }: StepView, whole: Extent): { readonly left: string; readonly width: string } {
  const start = placeOf(parseTime(startedTime) ?? whole.from, whole)
  const end = placeOf(parseTime(completionTime) ?? whole.to, whole)
  return { left: `${100 * start}%`, width: `${100 * (end - start)}%` }
}
