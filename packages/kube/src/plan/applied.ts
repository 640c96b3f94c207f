import { hash } from 'node:crypto'
import type { KubernetesObject, Resource } from '@windlass/api'
import { kindKey } from '../cache/declaration.ts'
import { ensurePatch } from '../objects/ensure-patch.ts'
import { keyOf, refOf } from '../objects/refs.ts'
import type { ApplyAction } from './action.ts'
import type { Known } from './known-objects.ts'
import { Recent } from './recent.ts'

interface Entry {
  /** Of what was applied: the object itself would be a second copy of the world. */
  readonly digest: string
  readonly uid: string | undefined
  /** Of the object that came back. */
  readonly resourceVersion: string | undefined
}

/**
 * What was applied to which object last. Applying says more than fields and values: it also gives up what it no longer mentions, so the object
 * alone cannot tell whether there is something to send.
 *
 * Forgotten entries only cost a request, which then changes nothing.
 */
export class Applied {
  readonly #entries: Recent<Entry>

  constructor(size = 100_000) {
    this.#entries = new Recent(size)
  }

  /** Whether applying this again could change anything. */
  isNeeded(action: ApplyAction, known: Known): boolean {
    if (known.is !== 'cached') return true
    const { uid, resourceVersion } = known.object.metadata
    const entry = this.#entries.get(keyFor(action.kind, action.object))
    if (entry === undefined || entry.uid !== uid || entry.digest !== digestOf(action)) return true
    // Nobody has touched it since.
    if (entry.resourceVersion === resourceVersion) return false
    return !known.holds(action.object) || ensurePatch(known.object, action.object) !== undefined
  }

  remember(action: ApplyAction, result: KubernetesObject): void {
    const { uid, resourceVersion } = result.metadata
    this.#entries.set(keyFor(action.kind, action.object), { digest: digestOf(action), uid, resourceVersion })
  }

  forget(kind: Resource, object: KubernetesObject): void {
    this.#entries.delete(keyFor(kind, object))
  }
}

function keyFor(kind: Resource, object: Pick<KubernetesObject, 'metadata'>): string {
  return `${kindKey(kind)} ${keyOf(refOf(object))}`
}

function digestOf({ object }: ApplyAction): string {
  return hash('sha1', JSON.stringify(object), 'base64')
}
