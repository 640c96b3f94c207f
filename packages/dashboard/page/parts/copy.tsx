import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { after } from '../clock.ts'
import { announce } from './announcer.tsx'

type State = 'waiting' | 'copied' | 'selected'

const words: Readonly<Record<State, string>> = { waiting: 'Copy', copied: 'Copied', selected: 'Selected' }
const sentences = {
  copied: 'Copied.',
  selected: 'The browser does not let the page copy. The command is selected: copy it with the keyboard.',
}

/** A command that can be copied. Without a safe origin, or leave, there is no clipboard: then the text is selected, for the keyboard to copy. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  const [state, setState] = useState<State>('waiting')
  const code = useRef<HTMLElement>(null)
  const copy = async (): Promise<void> => {
    const next = (await isWritten(text)) ? 'copied' : 'selected'
    if (next === 'selected' && code.current !== null) getSelection()?.selectAllChildren(code.current)
    setState(next)
    announce(sentences[next])
    after(2000, () => setState('waiting'))
  }
  return (
    <div class="command">
      <code ref={code} tabindex={0} role="group" aria-label="Command">
        {text}
      </code>
      <button type="button" class="button small" onClick={() => void copy()} aria-label={`Copy the command ${text}`}>
        {words[state]}
      </button>
    </div>
  )
}

async function isWritten(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard === undefined) return false
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}
