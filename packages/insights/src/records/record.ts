import type { KubernetesObject } from '@windlass/api'

/** Where an insight keeps its records: newest first, as JSON. */
export const recordAnnotation = 'windlass.dev/finished-updates'

/** More of them tell nothing about today. */
const kept = 5

/** That an operator or a pool got to the version of an update. */
export interface UpdateRecord {
  readonly to: string
  /** When the update began, as the history of the cluster version has it: that is what tells updates apart. */
  readonly started: string
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

/** The text of the annotation with another record in it; undefined when that update has one already. */
export function withRecord(insight: Pick<KubernetesObject, 'metadata'>, record: UpdateRecord): string | undefined {
  const records = recordsOf(insight)
  if (records.some(({ started }) => started === record.started)) return undefined
  return JSON.stringify([record, ...records].slice(0, kept))
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
