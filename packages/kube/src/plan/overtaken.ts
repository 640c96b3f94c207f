import { isClosed, isConflict } from '../client/errors.ts'
import { StaleView } from './stale-view.ts'

/** Refusals of which only the action that was refused tells that they are about a view of the world that is over: there is no such object any more. */
const overtaken = new WeakSet<object>()

/** Remembers what became of an action, for whoever catches it: it may have gone through hands that know nothing of actions. */
export function rememberOvertaken(error: unknown): void {
  if (typeof error === 'object' && error !== null) overtaken.add(error)
}

/**
 * Whether something went wrong only because what it was decided by is not so any more: an object, or where a cluster is that is left or connected to
 * anew. To look again and decide anew is enough, and nobody needs to hear of it.
 */
export function isOvertaken(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  return isConflict(error) || isClosed(error) || error instanceof StaleView || overtaken.has(error)
}
