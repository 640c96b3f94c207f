import { ConfigMap } from '@windlass/api'
import { formatTime, type Instant, parseTime } from '@windlass/core'
import { isAlreadyExists, isNotFound } from '@windlass/kube'
import { silencesRef } from './home.ts'
import { type MonitoringParts, type MonitoringRequest, until } from './wire.ts'

/** A silence as it is kept: whether it is in force follows from the time. */
export interface StoredSilence {
  readonly id: string
  readonly createdBy: string
  readonly comment: string
  readonly matchers: readonly unknown[]
  readonly startsAt: string
  readonly endsAt: string
  readonly updatedAt: string
}

export type SilenceState = 'pending' | 'active' | 'expired'

/** How long those that are over are still listed. */
const retention = 120 * 3_600_000

/**
 * The silences of a cluster, each under a key of its own in a ConfigMap: whoever writes one changes no other. Somebody who edits the ConfigMap may break a
 * silence; it is gone then, as if a disk had lost it.
 */
export class Silences {
  readonly #parts: MonitoringParts
  readonly #request: MonitoringRequest

  constructor(parts: MonitoringParts, request: MonitoringRequest) {
    this.#parts = parts
    this.#request = request
  }

  /** In the order in which they began. */
  async all(): Promise<readonly StoredSilence[]> {
    const { data = {} } = (await this.#parts.client.find(ConfigMap, silencesRef, until(this.#request))) ?? {}
    const read = Object.values(data).flatMap((text) => storedIn(text) ?? [])
    return read.toSorted((a, b) => (a.startsAt === b.startsAt ? order(a.id, b.id) : order(a.startsAt, b.startsAt)))
  }

  async add(silence: Omit<StoredSilence, 'id' | 'updatedAt'>): Promise<string> {
    const { clock, random } = this.#parts
    const now = clock.now()
    const id = random.uuid()
    const forgotten = (await this.all()).filter(({ endsAt }) => (parseTime(endsAt) ?? 0) < now - retention)
    await this.#write({
      ...Object.fromEntries(forgotten.map((old) => [old.id, null])),
      [id]: JSON.stringify({ id, ...silence, updatedAt: formatTime(now) }),
    })
    return id
  }

  /** Ends one that has not ended. Whether there is one of this id. */
  async end(id: string): Promise<boolean> {
    const now = this.#parts.clock.now()
    const silence = (await this.all()).find((each) => each.id === id)
    if (silence === undefined) return false
    const at = formatTime(now)
    if (stateOf(silence, now) !== 'expired') await this.#write({ [id]: JSON.stringify({ ...silence, endsAt: at, updatedAt: at }) })
    return true
  }

  async #write(data: Readonly<Record<string, string | null>>): Promise<void> {
    const { client } = this.#parts
    const options = until(this.#request)
    try {
      await client.patch(ConfigMap, silencesRef, { data }, options)
    } catch (error) {
      if (!isNotFound(error)) throw error
      await client.create(ConfigMap, { metadata: silencesRef }, options).catch((problem: unknown) => {
        if (!isAlreadyExists(problem)) throw problem
      })
      await client.patch(ConfigMap, silencesRef, { data }, options)
    }
  }
}

export function stateOf({ startsAt, endsAt }: Pick<StoredSilence, 'startsAt' | 'endsAt'>, now: Instant): SilenceState {
  if ((parseTime(endsAt) ?? 0) <= now) return 'expired'
  return (parseTime(startsAt) ?? 0) > now ? 'pending' : 'active'
}

function storedIn(text: string): StoredSilence | undefined {
  const value = recordIn(text)
  if (value === undefined) return undefined
  const { id, createdBy, comment, matchers, startsAt, endsAt, updatedAt } = value
  const isWhole =
    isText(id) && isText(createdBy) && isText(comment) && isText(startsAt) && isText(endsAt) && isText(updatedAt) && Array.isArray(matchers)
  return isWhole ? { id, createdBy, comment, matchers, startsAt, endsAt, updatedAt } : undefined
}

/** The fields of a JSON object; undefined for anything else. */
export function recordIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
