import type { KubernetesObject } from '@windlass/api'

/** Where an insight keeps its records: newest first, as JSON. */
export const recordAnnotation = 'windlass.dev/finished-updates'

/** More of them tell nothing about today. */
const kept = 5

/** What tells updates of a cluster apart: whoever goes back and forth may begin two in the same second. */
export interface UpdateIdentity {
  readonly to: string
  /** When the update began, as the history of the cluster version has it. */
  readonly started: string
}

/** That an operator or a pool got to the version of an update. */
export interface UpdateRecord extends UpdateIdentity {
  /** Seconds from there until it was done. */
  readonly doneAfter: number
  /** Seconds until the first node of a pool was touched, and how many nodes it had. */
  readonly begunAfter?: number
  readonly nodes?: number
}

/** What is on record for an insight. What somebody else has written there, and cannot be understood, is nothing. */
export function recordsOf({ metadata }: Pick<KubernetesObject, 'metadata'>): readonly UpdateRecord[] {
  const text = metadata.annotations?.[recordAnnotation]
  if (text === undefined) return []
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.filter(isRecord) : []
  } catch {
    return []
  }
}

export function isSameUpdate(one: UpdateIdentity, other: UpdateIdentity): boolean {
  return one.started === other.started && one.to === other.to
}

/** What is on record of one update. */
export function recordOf(insight: Pick<KubernetesObject, 'metadata'>, update: UpdateIdentity): UpdateRecord | undefined {
  return recordsOf(insight).find((record) => isSameUpdate(record, update))
}

/** The text of the annotation with another record in it; undefined when that update has one already. */
export function withRecord(insight: Pick<KubernetesObject, 'metadata'>, record: UpdateRecord): string | undefined {
  if (recordOf(insight, record) !== undefined) return undefined
  return JSON.stringify([record, ...recordsOf(insight)].slice(0, kept))
}

function isRecord(value: unknown): value is UpdateRecord {
  if (typeof value !== 'object' || value === null) return false
  const of = (name: string): unknown => Reflect.get(value, name)
  const isCount = (name: string): boolean => of(name) === undefined || Number.isFinite(of(name))
  return (
    typeof of('to') === 'string' &&
    typeof of('started') === 'string' &&
    Number.isFinite(of('doneAfter')) &&
    isCount('begunAfter') &&
    isCount('nodes')
  )
}
