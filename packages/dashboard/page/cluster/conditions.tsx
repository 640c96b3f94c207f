import type { ConditionView } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import { ageOf, type Tone } from '../../src/words/index.ts'
import { now } from '../clock.ts'
import { Empty, Panel } from '../parts/panel.tsx'
import { State } from '../parts/sign.tsx'

/** Unexpected ones first; then those that are as they should be, then those of which nobody can say. */
const rank = ({ isExpected }: ConditionView): number => (isExpected === false ? 0 : isExpected === true ? 1 : 2)

const toneOf = ({ isExpected }: ConditionView): Tone => (isExpected === undefined ? 'quiet' : isExpected ? 'good' : 'bad')

/** Types are long words of many words. */
const breakable = (type: string): (JSX.Element | string)[] =>
  type.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word, index) => (index === 0 ? [word] : [<wbr />, word]))

export function Conditions({ conditions }: { readonly conditions: readonly ConditionView[] }): JSX.Element {
  const sorted = conditions.toSorted((a, b) => rank(a) - rank(b))
  const unexpected = conditions.filter(({ isExpected }) => isExpected === false).length
  return (
    <Panel title="Conditions" aside={<span>{unexpected === 0 ? 'all as expected' : `${unexpected} not as expected`}</span>}>
      {sorted.length === 0 ? (
        <Empty title="None reported yet" />
      ) : (
        <div class="scroll" tabindex={0} role="region" aria-label="Conditions, unexpected ones first">
          <table class="plain conditions">
            <thead>
              <tr>
                <th scope="col">Condition</th>
                <th scope="col">Status</th>
                <th scope="col">Since</th>
                <th scope="col">What it says</th>
              </tr>
            </thead>
            <tbody>
              {sorted.map((condition) => (
                <tr key={condition.type}>
                  <th scope="row">{breakable(condition.type)}</th>
                  <td>
                    <State tone={toneOf(condition)}>{condition.status}</State>
                  </td>
                  <td class="dim nowrap">{ageOf(condition.since, now.value) ?? ''}</td>
                  <td>
                    {condition.message ?? ''} {condition.reason === undefined ? null : <span class="dim">{condition.reason}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}
