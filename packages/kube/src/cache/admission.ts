import type { KubernetesObject } from '@windlass/api'
import { deepFreeze } from './freeze.ts'
import { type FieldChoice, projectionOf } from './projection.ts'
import { Sharing } from './sharing.ts'
import type { StringTable } from './string-table.ts'

/** What becomes of an object when it enters a cache; `old` is how the cache has known it. */
export type Admission<T extends KubernetesObject> = (object: T, old: T | undefined) => T

export function admissionOf<T extends KubernetesObject>(
  choices: readonly FieldChoice[],
  strings: StringTable,
  freezes: boolean,
): Admission<T> {
  const project = projectionOf(choices)
  const sharing = new Sharing(strings)
  return (object, old) => {
    const shared = sharing.share(project(object), old)
    return freezes ? deepFreeze(shared) : shared
  }
}
