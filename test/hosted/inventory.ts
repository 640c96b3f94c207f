import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { until } from '../support/until.ts'
import type { Kubectl, Printed } from '../support/kubectl.ts'

interface Owned extends Printed {
  readonly metadata: Printed['metadata'] & { readonly namespace?: string }
}

/** Events tell what happened, and go by themselves. */
const passing = new Set(['events', 'events.events.k8s.io'])

/** Everything there is, of all kinds that can be listed: `Secret clusters/prod-ssh-key`. */
export async function inventory(k: Kubectl): Promise<readonly string[]> {
  const kinds = (await k.ok`api-resources --verbs=list -o name`).split('\n').filter((name) => name !== '' && !passing.has(name))
  const { items } = await k.object`get ${kinds.join(',')} -A -o json`
  return (items as readonly Owned[]).map(describe).toSorted()
}

function describe({ kind, metadata: { namespace, name, annotations = {}, finalizers = [] } }: Owned): string {
  // Marks of others on what stays are traces as well.
  const marks = [...Object.keys(annotations), ...finalizers].filter((mark) => mark.includes('hypershift')).map((mark) => ` with ${mark}`)
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${marks.join('')}`
}

/** Asserts that nothing but this is left before long: what had an owner is collected when the owner is gone. */
export async function assertLeft(k: Kubectl, expected: readonly string[], among = (objects: readonly string[]) => objects): Promise<void> {
  let left: readonly string[] = []
  const isLeft = async (): Promise<boolean> => {
    left = among(await inventory(k))
    return isDeepStrictEqual(left, expected)
  }
  // What is too much is said better by the comparison.
  await until('what was made for a cluster to go', isLeft, 20_000).catch(() => {})
  assert.deepEqual(left, expected)
}
