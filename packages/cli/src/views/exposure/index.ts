/** What `windlass exposure` shows. */
export { exposureLines } from './lines.ts'
