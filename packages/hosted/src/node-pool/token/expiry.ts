import { Secret } from '@windlass/api'
import type { capi } from '@windlass/api'
import { formatTime, type Instant } from '@windlass/core'
import { type Action, patch, refOf, remove } from '@windlass/kube'
import { Annotation } from '../wire.ts'

/** Machines that are starting still hold the old token: it stays good for this long. */
export const tokenGracePeriod = 2 * 3_600_000

/** Marks a token that is no longer wanted. Once: a mark that is there stays, also one that was not seen yet. */
export function expired(secret: Secret, now: Instant, because: string): readonly Action[] {
  if (secret.metadata.annotations?.[Annotation.tokenExpires] !== undefined) return []
  const annotations = { [Annotation.tokenExpires]: formatTime(now + tokenGracePeriod) }
  return [patch(Secret, refOf(secret), { metadata: { annotations } }, because, { ifStill: secret })]
}

/** Deletes user data that no machine needs, whether to start or to be deleted. */
export function disposed(secret: Secret, users: UserDataUsers, because: string): readonly Action[] {
  if (secret.metadata.deletionTimestamp !== undefined || isUserDataNeeded(secret.metadata.name ?? '', users)) return []
  return [remove(Secret, secret, because)]
}

/** What may refer to user data. */
export interface UserDataUsers {
  readonly machineSets: readonly capi.MachineSet[]
  readonly machines: readonly capi.Machine[]
}

/** Providers need the user data of a machine as long as there is the machine; a MachineSet needs it as long as it may make another one. */
export function isUserDataNeeded(name: string, { machineSets, machines }: UserDataUsers): boolean {
  const isOfSet = machineSets.some(({ spec }) => (spec.replicas ?? 0) > 0 && spec.template?.spec?.bootstrap.dataSecretName === name)
  return isOfSet || machines.some(({ spec }) => spec.bootstrap.dataSecretName === name)
}
