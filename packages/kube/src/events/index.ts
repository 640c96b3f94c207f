/**
 * Telling people what happened to an object, where `kubectl describe` shows it.
 *
 * - `recorder.ts`: what controllers call. `create-recorder.ts`: puts the rest together.
 * - `series.ts`: something that happens over and over is one event. `object-limits.ts`: not too many about one object.
 * - `outbox.ts`: sends them in the background. `describe.ts`: references, names, and notes that are not too long.
 */
export { type BackgroundRecorder, createEventRecorder, type EventCounts, type EventRecorderOptions } from './create-recorder.ts'
export type { EventRecorder, Occurrence } from './recorder.ts'
