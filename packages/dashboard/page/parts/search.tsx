import type { JSX } from 'preact'

/** A field to search in. Escape empties it. */
export function Search(props: { readonly label: string; readonly value: string; readonly change: (text: string) => void }): JSX.Element {
  return (
    <label class="search">
      <span class="unseen">{props.label}</span>
      <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true">
        <circle cx="7" cy="7" r="4.6" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="m10.5 10.5 4 4" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
      </svg>
      <input
        type="search"
        value={props.value}
        placeholder={props.label}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => props.change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') props.change('')
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  )
}
