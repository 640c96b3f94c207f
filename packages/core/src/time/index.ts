/** Moments as text, the one way in which Windlass writes and reads them. */
export { formatTime, parseTime, wholeSeconds } from './rfc3339.ts'
