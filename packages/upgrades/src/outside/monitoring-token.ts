import { Secret, ServiceAccount } from '@windlass/api'
import { type Clock, type Instant, parseTime } from '@windlass/core'
import type { Client } from '@windlass/kube'

const namespace = 'openshift-monitoring'
const account = { namespace, name: 'prometheus-k8s' } as const
const secretPrefix = 'prometheus-k8s-token'
const lifetimeSeconds = 24 * 60 * 60
/** A token is used for this part of its life: its clock may not be ours. */
const usedPart = 0.8
const hour = 60 * 60_000

export interface MonitoringToken {
  readonly value: string
  /** When to get another one. */
  readonly until: Instant
}

/**
 * The token that opens the cluster's monitoring: the one that old clusters keep in a Secret, or a new one for the same account.
 *
 * Errors: whatever the API says, and one of its own when it gives a token that is none.
 */
export async function monitoringToken(client: Client, clock: Clock, signal: AbortSignal): Promise<MonitoringToken> {
  const stored = await storedToken(client, signal)
  if (stored !== undefined) return { value: stored, until: clock.now() + hour }
  const spec = { expirationSeconds: lifetimeSeconds }
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
  const { status } = await client.createSubresource<TokenAnswer>(ServiceAccount, account, 'token', body, { signal })
  const value = status?.token ?? ''
  if (value === '') throw new Error(`ServiceAccount ${namespace}/${account.name}: the API server gave a token that is empty`)
  const now = clock.now()
  const ends = parseTime(status?.expirationTimestamp) ?? now + lifetimeSeconds * 1000
  return { value, until: now + usedPart * (ends - now) }
}

interface TokenAnswer {
  readonly status?: { readonly token?: string; readonly expirationTimestamp?: string }
}

/** Of several the first by name, so that the same one is used as long as it is there. */
async function storedToken(client: Client, signal: AbortSignal): Promise<string | undefined> {
  const found: [name: string, token: string][] = []
  for await (const { metadata, data } of client.list(Secret, { namespace, signal })) {
    const { name = '' } = metadata
    const token = Buffer.from(data?.['token'] ?? '', 'base64')
      .toString('utf8')
      .trim()
    if (name.startsWith(secretPrefix) && token !== '') found.push([name, token])
  }
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1))[0]?.[1]
}
