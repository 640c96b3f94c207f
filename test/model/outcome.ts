import assert from 'node:assert/strict'
import { fields, type Item, isValid, read, type Values } from './item.ts'
import { keyOf, type Model } from './model.ts'
import { sameOwners, updated } from './ownership.ts'
import type { Answer, Real } from './real.ts'

/** What must come of a write: a refusal, nothing new, a new state, or the end of the object. */
export type Outcome =
  | { readonly status: number; readonly becomes: 'refused' | 'same' | 'gone' }
  | { readonly status: number; readonly becomes: Omit<Item, 'uid' | 'revision'> }

export const refused = (status: number): Outcome => ({ status, becomes: 'refused' })

/** The outcome of an update that leaves these values and this finalizer. */
export function update(item: Item, manager: string, values: Values, hasFinalizer = item.hasFinalizer): Outcome {
  if (!isValid(values)) return refused(422)
  if (item.isDeleting && hasFinalizer && !item.hasFinalizer) return refused(422)
  if (item.isDeleting && !hasFinalizer) return { status: 200, becomes: 'gone' }
  return become(item, { ...item, values, hasFinalizer, owners: updated(item, manager, values) })
}

/** 200 with a state; the same one when nothing is different. */
export function become(item: Item, next: Item): Outcome {
  const isSame =
    sameValues(item.values, next.values) &&
    item.hasFinalizer === next.hasFinalizer &&
    item.phase === next.phase &&
    item.isDeleting === next.isDeleting &&
    sameOwners(item.owners, next.owners)
  if (isSame) return { status: 200, becomes: 'same' }
  const { tier: _before, ...before } = item.values
  const { tier: _after, ...after } = next.values
  const isOther = !sameValues(before, after) || item.isDeleting !== next.isDeleting
  return { status: 200, becomes: { ...next, generation: item.generation + (isOther ? 1 : 0) } }
}

function sameValues(a: Values, b: Values): boolean {
  return fields.every((field) => a[field] === b[field])
}

/** Sends a write and requires its outcome; what is new goes into the model. */
export async function write(
  model: Model,
  real: Real,
  key: string,
  { status, becomes }: Outcome,
  send: () => Promise<Answer>,
): Promise<void> {
  const before = real.revision
  const answer = await send()
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  if (becomes === 'refused') {
    assert.equal(real.revision, before, 'a refused write took a revision')
    return
  }
  if (becomes === 'same') {
    assert.deepEqual(read(answer.body), model.items.get(key))
    assert.equal(real.revision, before, 'a write of what was there took a revision')
    return
  }
  assert.equal(real.revision, before + 1)
  if (becomes === 'gone') {
    model.commit(key, undefined, real.revision)
    return
  }
  const seen = read(answer.body)
  const item: Item = { ...becomes, uid: model.items.get(key)?.uid ?? seen.uid, revision: real.revision }
  assert.deepEqual(seen, item)
  assert.equal(keyOf(item), key)
  model.commit(key, item, item.revision)
}
