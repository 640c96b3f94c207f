import type { Client } from '@windlass/kube'
import type { Clock, Random } from '@windlass/core'

/** What both servers work with. */
export interface MonitoringParts {
  /** Of the cluster that is monitored. */
  readonly client: Client
  readonly clock: Clock
  /** For the ids of silences. */
  readonly random: Random
}

/** A request, as far as monitoring cares. */
export interface MonitoringRequest {
  readonly method: string
  readonly url: URL
  readonly body: string
  readonly signal?: AbortSignal
}

export interface MonitoringReply {
  readonly status: number
  readonly body: string
}

export function reply(status: number, value: unknown): MonitoringReply {
  return { status, body: JSON.stringify(value) }
}

/** `{ signal }`, for calls that take one if there is one. */
export function until({ signal }: Pick<MonitoringRequest, 'signal'>): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
