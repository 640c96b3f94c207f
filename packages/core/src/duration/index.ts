/** Lengths of time as text: Go's notation (`go-duration.ts`), which APIs use, and the short one for people (`short-duration.ts`). */
export { formatDuration, InvalidDurationError, parseDuration, tryParseDuration } from './go-duration.ts'
export type { Duration } from './go-duration.ts'
export { shortDuration } from './short-duration.ts'
