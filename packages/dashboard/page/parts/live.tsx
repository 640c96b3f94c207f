import type { JSX } from 'preact'
import { ageOf, timeOfDay } from '../../src/words/index.ts'
import { formatTime } from '@windlass/core'
import { now } from '../clock.ts'
import { liveness } from '../server/stream.ts'
import { Notice } from './panel.tsx'

/** Whether what is shown is what is. */
export function Live(): JSX.Element {
  const state = liveness.value
  const text =
    state.state === 'live' ? 'Live' : state.state === 'connecting' ? 'Connecting' : `Reconnecting since ${timeOfDay(state.since)}`
  return (
    <span class={`live live-${state.state}`} role="status">
      <span class="live-dot" aria-hidden="true" />
      {text}
    </span>
  )
}

/** Above everything that is no longer current, so that nobody acts on it by mistake. */
export function StaleNotice(): JSX.Element | null {
  const state = liveness.value
  if (state.state !== 'reconnecting') return null
  return (
    <Notice tone="warn">
      <strong>The connection to the server is lost.</strong> What you see is as it was {ageOf(formatTime(state.since), now.value)} ago, at{' '}
      {timeOfDay(state.since)}. It goes on by itself when the server is back.
    </Notice>
  )
}
