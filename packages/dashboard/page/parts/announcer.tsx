import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { after } from '../clock.ts'

/** What a screen reader says next. */
const spoken = signal('')
const waiting: string[] = []
let isQuiet = true

/** Between two announcements: a fleet in trouble must not talk without end. */
const pause = 6000

/** Says something to people who do not see the page. What comes too fast is told as a number. */
export function announce(sentence: string): void {
  waiting.push(sentence)
  if (isQuiet) speak()
}

function speak(): void {
  if (waiting.length === 0) {
    isQuiet = true
    return
  }
  isQuiet = false
  const all = waiting.splice(0)
  spoken.value = all.length > 3 ? `${all.slice(0, 2).join(' ')} And ${all.length - 2} more changes.` : all.join(' ')
  after(pause, speak)
}

export function Announcer(): JSX.Element {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {spoken.value}
    </div>
  )
}
