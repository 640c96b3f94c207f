/** What `windlass why` shows. */
export { placeText, whyLines } from './lines.ts'
