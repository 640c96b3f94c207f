import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { navigate } from '../address.ts'
import { Dialog } from './dialog.tsx'
import { shortcuts } from './preferences.ts'
import { hideTip } from './tip.tsx'

const isOpen = signal(false)

const keys: readonly (readonly [string, string])[] = [
  ['/', 'Search'],
  ['f', 'Fleet'],
  ['e', 'Exposure'],
  ['?', 'These keys'],
  ['↑ ↓ PgUp PgDn Home End', 'Move in a table'],
  ['Enter', 'Open the row'],
  ['← → + − 0', 'Move and zoom in a time line'],
  ['Esc', 'Close, or clear the search'],
]

/** Keys that work everywhere, and what explains them. */
export function Shortcuts(): JSX.Element {
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <button type="button" class="button plain key-button" aria-label="Keyboard shortcuts" onClick={() => (isOpen.value = true)}>
        ?
      </button>
      {isOpen.value ? (
        <Dialog title="Keyboard shortcuts" close={() => (isOpen.value = false)}>
          <dl class="keys">
            {keys.map(([key, what]) => (
              <div key={key}>
                <dt>
                  {key.split(' ').map((each) => (
                    <kbd key={each}>{each}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <form method="dialog" class="dialog-end">
            <label class="check">
              <input
                type="checkbox"
                checked={shortcuts.value === 'on'}
                onChange={(event) => (shortcuts.value = event.currentTarget.checked ? 'on' : 'off')}
              />
              Keys of one letter
            </label>
            <button type="submit" class="button primary">
              Close
            </button>
          </form>
        </Dialog>
      ) : null}
    </>
  )
}

function press(event: KeyboardEvent): void {
  if (event.key === 'Escape') hideTip()
  if (shortcuts.value === 'off' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const actions: Readonly<Record<string, () => void>> = {
    '/': focusSearch,
    '?': () => (isOpen.value = true),
    f: () => navigate('/'),
    e: () => navigate('/exposure'),
  }
  const act = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
  if (act === undefined || document.querySelector('dialog[open]') !== null) return
  event.preventDefault()
  act()
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('input[type="search"]')?.focus()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}
