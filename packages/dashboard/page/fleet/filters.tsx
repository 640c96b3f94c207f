import type { JSX } from 'preact'
import { isFiltered } from '../../src/address/index.ts'
import { skewWord } from '../../src/words/index.ts'
import { choose, query, toggled } from './query.ts'

/** What is left out of the table, each with a way to have it back. */
export function Filters(): JSX.Element | null {
  const { attention, members, skew, version, lastKnownOnly } = query.value
  if (!isFiltered(query.value)) return null
  const chips: readonly { readonly text: string; readonly remove: () => void }[] = [
    ...attention.map((each) => ({ text: each, remove: () => choose({ attention: toggled(attention, each) }) })),
    ...members.map((each) => ({ text: each, remove: () => choose({ members: toggled(members, each) }) })),
    ...skew.map((each) => ({ text: `Skew ${skewWord(each).toLowerCase()}`, remove: () => choose({ skew: toggled(skew, each) }) })),
    ...(version === undefined
      ? []
      : [{ text: `${sideWords[version.side]} ${version.version || 'unknown'}`, remove: () => choose({ version: undefined }) }]),
    ...(lastKnownOnly ? [{ text: 'As last known', remove: () => choose({ lastKnownOnly: false }) }] : []),
  ]
  return (
    <ul class="chips" aria-label="Filters">
      {chips.map(({ text, remove }) => (
        <li key={text}>
          <button type="button" class="chip" onClick={remove} aria-label={`Remove the filter ${text}`}>
            {text}
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const sideWords = { 'control-plane': 'Control plane', 'data-plane': 'Data plane', nodes: 'Nodes' } as const
