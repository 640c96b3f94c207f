/**
 * The work queue: which key is next, and which has to wait.
 *
 * - `work-queue.ts`: the queue. `item.ts`: what it knows of a key.
 * - `lines.ts`: keys that are ready, by priority and tenant, in linked lists (`linked-list.ts`).
 * - `back-off.ts`, `token-bucket.ts`: how long a failed key is left alone.
 * - `view.ts`: what `/debug/queue` shows.
 */
export { backOff, type BackOffOptions } from './back-off.ts'
export { TokenBucket, type TokenBucketOptions } from './token-bucket.ts'
export type { KeyView, QueueView } from './view.ts'
export { type AddOptions, WorkQueue, type WorkQueueOptions } from './work-queue.ts'
