import { type ApiError, ConnectionError, isForbidden, isUnauthorized, KubeconfigError } from '@windlass/kube'
import type { AnyKind } from './kinds.ts'

/** Why a member cannot be reached, in a sentence that says what to do. */
export function unreachableBecause(error: unknown, context: string): string {
  // These say what to do themselves.
  if (error instanceof ConnectionError || error instanceof KubeconfigError) return error.message
  if (isUnauthorized(error)) {
    return `the API does not accept the credentials of ${context} (401): log in again, or renew the token or the certificate of its user in the kubeconfig`
  }
  if (isForbidden(error)) return `${forbidden(error)}; let the user of ${context} get, list and watch it, or use another context`
  return `${error instanceof Error ? error.message : String(error)}; check the server of ${context} in the kubeconfig`
}

/** What is missing of a member that is reached otherwise: kinds that its user may not read. */
export function unreadableBecause(kinds: readonly AnyKind[], context: string): string {
  return `${kinds.map(nameOf).join(', ')} cannot be read: let the user of ${context} get, list and watch them`
}

/** As access rules name it: `nodepools.hypershift.openshift.io`. */
export function nameOf({ kind: { plural, group } }: AnyKind): string {
  return group === '' ? plural : `${plural}.${group}`
}

function forbidden(error: ApiError): string {
  return error.message
}
