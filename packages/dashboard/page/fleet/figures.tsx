import type { Attention, FleetFigures, MemberView } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import { attentionTone, attentions, countOf, shareOf, type Tone } from '../../src/words/index.ts'
import { Sign } from '../parts/sign.tsx'
import { choose, query, toggled } from './query.ts'

interface Figure {
  readonly title: string
  readonly count: number
  readonly tone: Tone
  readonly note: string
  readonly isOn: boolean
  readonly toggle: () => void
}

/** What needs somebody first. Each figure is a filter of the table; one that is zero is quiet, and one that few ask for is only there when it is not. */
export function Figures({ figures, members }: { readonly figures: FleetFigures; readonly members: readonly MemberView[] }): JSX.Element {
  const { attention, skew, lastKnownOnly } = query.value
  const byAttention = (title: string, state: Attention): Figure => ({
    title,
    count: figures.attention[state],
    tone: attentionTone(state),
    note: `${shareOf(figures.attention[state], figures.clusters)} of all`,
    isOn: attention.includes(state),
    toggle: () => choose({ attention: attentions.filter((each) => toggled(attention, state).includes(each)) }),
  })
  const lost = members.filter(({ state }) => state === 'Unreachable')
  const lastKnown = lost.reduce((sum, { clusters }) => sum + clusters, 0)
  const shown: readonly Figure[] = [
    byAttention('Stalled', 'Stalled'),
    byAttention('Failing', 'Failing'),
    byAttention('Upgrading', 'Upgrading'),
    {
      title: 'Skew violated',
      count: figures.skew.Violated,
      tone: 'bad',
      note: `${countOf(figures.skew.AtLimit)} at the limit`,
      isOn: skew.includes('Violated'),
      toggle: () => choose({ skew: skew.includes('Violated') ? [] : ['Violated'] }),
    },
    {
      title: 'Unreachable',
      count: lost.length,
      tone: 'bad',
      note: lost.length === 0 ? 'all members answer' : `${countOf(lastKnown)} clusters as last known`,
      isOn: lastKnownOnly,
      toggle: () => choose({ lastKnownOnly: !lastKnownOnly }),
    },
    ...(['Unknown', 'Installing', 'Paused'] as const)
      .map((state) => byAttention(state, state))
      .filter(({ count, isOn }) => count > 0 || isOn),
    byAttention('Steady', 'Steady'),
  ]
  return (
    <section class="figures" aria-label="Figures; each is a filter of the table">
      {shown.map((figure) => (
        <button
          key={figure.title}
          type="button"
          class={`figure ${figure.count === 0 ? 'zero' : `tone-${figure.tone}`}`}
          aria-pressed={figure.isOn}
          onClick={figure.toggle}
        >
          <span class="figure-title">
            <Sign tone={figure.tone} />
            {figure.title}
          </span>
          <span class="figure-count">{countOf(figure.count)}</span>
          <span class="figure-note">{figure.note}</span>
        </button>
      ))}
    </section>
  )
}
