/** What `windlass events` shows. */
export { eventHeading, eventLine, eventTable } from './lines.ts'
