import type { Ref } from '@windlass/kube'

/** A hosted control plane has a namespace of its own: those with much to do must not hold up the others. */
export function byNamespace({ namespace = '' }: Ref): string {
  return namespace
}

/** Most of a pass is waiting for the server. */
export const manyAtOnce = 16
