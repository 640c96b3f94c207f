import type { Instant } from '@windlass/core'

/** A moment with microseconds, as Leases and Events carry it: `2026-01-01T00:00:00.123000Z`. */
export function microTime(instant: Instant): string {
  const milliseconds = Math.floor(instant)
  const microseconds = Math.floor((instant - milliseconds) * 1000)
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`
}
