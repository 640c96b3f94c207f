import type { ExposureState, ExposureView } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import { countOf, exposureStates, exposureTone, shareOf } from '../../src/words/index.ts'
import { Sign } from '../parts/sign.tsx'
import { choose, query } from './answer.ts'

const notes: Readonly<Record<ExposureState, string>> = {
  Vulnerable: 'run a version without the fix',
  Pending: 'the fix is on its way',
  Unknown: 'it cannot be told',
  Fixed: 'nothing older can run',
}

/** How many are in which state. Each is a filter of the table. */
export function Counts({ view }: { readonly view: ExposureView }): JSX.Element {
  const { states } = query.value
  const total = exposureStates.reduce((sum, state) => sum + view.counts[state], 0)
  return (
    <section class="figures exposure-figures" aria-label="Clusters by exposure; each is a filter of the table">
      {exposureStates.map((state) => (
        <button
          key={state}
          type="button"
          class={`figure ${view.counts[state] === 0 ? 'zero' : `tone-${exposureTone(state)}`}`}
          aria-pressed={states.includes(state)}
          onClick={() => choose({ states: states.includes(state) ? states.filter((each) => each !== state) : [...states, state] })}
        >
          <span class="figure-title">
            <Sign tone={exposureTone(state)} />
            {state}
          </span>
          <span class="figure-count">{countOf(view.counts[state])}</span>
          <span class="figure-note">
            {shareOf(view.counts[state], total)} · {notes[state]}
          </span>
        </button>
      ))}
    </section>
  )
}
