import type { Instant } from '@windlass/core'
import { tokenSecretName } from '../names.ts'
import type { PayloadStore } from './payload-store.ts'

/** A request of a machine; header names in lower case. */
export interface IgnitionRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface IgnitionAnswer {
  readonly status: 200 | 401 | 404 | 405 | 511
  readonly body: string
  /** The token Secret whose payload was handed out: a machine has reached us. */
  readonly reached?: string
  /** Who asked, for metrics and events. */
  readonly nodePool?: string
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Answers a machine that wants its first configuration.
 *
 * A token that is not known is answered with 511 and not with 401: the payload may still be in the making, and machines try again after that.
 */
export function answerIgnition({ method, path, headers }: IgnitionRequest, store: PayloadStore, now: Instant): IgnitionAnswer {
  if (path === '/healthz') return { status: 200, body: '' }
  if (!path.startsWith('/ignition')) return { status: 404, body: '' }
  if (method !== 'GET') return { status: 405, body: '' }
  const token = bearer(headers['authorization'])
  if (token === undefined) return { status: 401, body: 'no bearer token in base64' }
  const nodePool = headers['nodepool'] ?? ''
  const found = store.find(token, now)
  if (found === undefined) return { status: 511, body: 'token not found', nodePool }
  const name = nodePool.slice(nodePool.lastIndexOf('/') + 1)
  return { status: 200, body: found.payload, nodePool, reached: tokenSecretName(name, headers['targetconfigversionhash'] ?? '') }
}

/** The token that a request shows; undefined when it shows none. */
export function bearer(authorization: string | undefined): string | undefined {
  const [, text] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? []
  return text === undefined || !base64.test(text) ? undefined : Buffer.from(text, 'base64').toString()
}
