import type { PodTemplate } from '@windlass/api'
import { canonicalJson, lettersOf } from '../identity/index.ts'

/** Says of which template a Pod of a StatefulSet or a DaemonSet is. */
export const revisionLabel = 'controller-revision-hash'

const known = new WeakMap<PodTemplate, string>()

/** The same for equal templates. Remembered while the template lives: it is large, and asked for in every pass. */
export function templateHash(template: PodTemplate): string {
  const hash = known.get(template) ?? lettersOf(canonicalJson(template), 10)
  known.set(template, hash)
  return hash
}
