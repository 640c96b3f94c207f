import type { JSX } from 'preact'
import type { Tone } from '../../src/words/index.ts'

/** The sign of each tone, on a field of 16 by 16. Shapes differ, so that nobody needs to tell the colours apart. */
const shapes: Readonly<Record<Tone, JSX.Element>> = {
  bad: (
    <>
      <path d="M8 1.3 15.2 14H.8z" fill="currentColor" stroke="currentColor" stroke-width="1.2" stroke-linejoin="round" />
      <path d="M8 5.8v3.8M8 11.9v.1" class="sign-mark" />
    </>
  ),
  warn: (
    <>
      <rect x="1.5" y="1.5" width="13" height="13" rx="3" fill="currentColor" />
      <path d="M6 5.2v5.6M10 5.2v5.6" class="sign-mark" />
    </>
  ),
  busy: (
    <>
      <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="2" opacity=".3" />
      <path d="M8 1.8a6.2 6.2 0 0 1 6.2 6.2" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" />
    </>
  ),
  good: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="m4.9 8.2 2.2 2.2 4-4.5" class="sign-mark" />
    </>
  ),
  odd: (
    <>
      <path d="M8 .9 15.1 8 8 15.1.9 8z" fill="currentColor" />
      <path d="M6.4 6.3a1.7 1.7 0 1 1 2.4 1.7c-.6.3-.8.6-.8 1.2M8 11.2v.1" class="sign-mark" />
    </>
  ),
  quiet: <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="2.5 2.2" />,
}

export function Sign({ tone }: { readonly tone: Tone }): JSX.Element {
  return (
    <svg class={`sign tone-${tone}`} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      {shapes[tone]}
    </svg>
  )
}

/** A state in a word, with its sign. */
export function State({ tone, children }: { readonly tone: Tone; readonly children: string }): JSX.Element {
  return (
    <span class={`state tone-${tone}`}>
      <Sign tone={tone} />
      {children}
    </span>
  )
}

/** The same where it is what one came to see. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }): JSX.Element {
  return (
    <span class={`badge tone-${tone}`}>
      <Sign tone={tone} />
      {children}
    </span>
  )
}
