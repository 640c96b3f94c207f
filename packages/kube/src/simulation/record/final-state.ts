import { createHash } from 'node:crypto'
import { isTrack } from './normal-form.ts'
import type { StoredState } from './state.ts'

/**
 * Where a run ended, in a form that does not depend on the way there: no uids, no versions, no times, no Leases, no Events. Runs of the same
 * world with other faults or another order must end in the same.
 */
export function finalState(state: StoredState): ReadonlyMap<string, string> {
  const form = new Map<string, string>()
  for (const stored of state.all()) if (!isTrack(stored.key)) form.set(stored.key, stored.normal)
  return form
}

export function hashOf(form: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const [key, text] of form) hash.update(`${key} ${text}\n`)
  return hash.digest('hex')
}
