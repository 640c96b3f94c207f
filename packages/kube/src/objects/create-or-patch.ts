import type { KubernetesObject, Resource } from '@windlass/api'
import type { CallOptions, Client, Draft } from '../client/client.ts'
import { isAlreadyExists } from '../client/errors.ts'
import { ensurePatch } from './ensure-patch.ts'
import { refOf } from './refs.ts'

export interface CreateOrPatchOptions<T> extends CallOptions {
  /** The object as the cache has it. */
  readonly current: T | undefined
  /** See `EnsureAction`. */
  readonly owns?: readonly string[]
}

export interface CreateOrPatchResult<T> {
  readonly did: 'created' | 'patched' | 'nothing'
  readonly object: T
}

/**
 * Makes an object look like the draft, for code that needs the result at once; a plan uses `ensure`. No request is made when the object looks like
 * it already. One that exists although the cache does not have it is read and patched.
 */
export async function createOrPatch<T extends KubernetesObject>(
  client: Client,
  kind: Resource<T>,
  draft: Draft<T>,
  { current, owns = [], ...options }: CreateOrPatchOptions<T>,
): Promise<CreateOrPatchResult<T>> {
  const ref = refOf(draft)
  let known = current
  if (known === undefined) {
    try {
      return { did: 'created', object: await client.create(kind, draft, options) }
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      known = await client.get(kind, ref, options)
    }
  }
  const patch = ensurePatch(known, draft, owns)
  return patch === undefined ? { did: 'nothing', object: known } : { did: 'patched', object: await client.patch(kind, ref, patch, options) }
}
