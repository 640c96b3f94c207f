import { Secret } from '@windlass/api'
import type { Clock } from '@windlass/core'
import { type Client, isNotFound } from '@windlass/kube'
import { accessToken } from '../provider/credentials.ts'
import { inAnHour } from './cluster-services.ts'
import { Kept } from './kept.ts'

export const pullSecret = { namespace: 'openshift-config', name: 'pull-secret' } as const
const key = '.dockerconfigjson'

/** The pull secret of the cluster, as it is written; undefined when the Secret has none. Errors: when the Secret cannot be read. */
export async function readPullSecret(client: Client, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { data } = await client.get(Secret, pullSecret, { signal })
    const value = data?.[key]
    return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8')
  } catch (error) {
    if (isNotFound(error)) throw new Error(`Secret ${pullSecret.namespace}/${pullSecret.name} does not exist`, { cause: error })
    throw error
  }
}

/** The token of OCM, kept for an hour or until it is refused: pull secrets are rotated in the middle of upgrades. */
export function ocmToken(client: Client, clock: Clock): Kept<string> {
  return new Kept(clock, async (signal) => {
    const token = accessToken(await readPullSecret(client, signal))
    if ('problem' in token) throw new Error(token.problem)
    return { value: token.value, until: inAnHour(clock) }
  })
}
