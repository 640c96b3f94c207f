import type { ClusterOperator, ClusterVersion } from '@windlass/api'
import * as fixtures from '@windlass/api/fixtures'
import { formatTime, type Instant } from '@windlass/core'

/** When the update of the examples begins. */
export const start: Instant = Date.UTC(2025, 5, 27, 12)
export const [v0, v1, v2] = ['4.18.14', '4.18.15', '4.18.16'] as const

/** A moment of that day. */
export const at = (time: string): Instant => Date.parse(`2025-06-27T${time}Z`)

type Status = NonNullable<ClusterVersion['status']>
type Entry = NonNullable<Status['history']>[number]
type Condition = NonNullable<Status['conditions']>[number]

export function condition(
  type: string,
  status: string,
  { reason, message, since = start }: { readonly reason?: string; readonly message?: string; readonly since?: Instant } = {},
): Condition {
  return {
    type,
    // Some conditions of real clusters have a status that nobody knows.
    status: status as Condition['status'],
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    lastTransitionTime: formatTime(since),
  }
}

/** An entry of a history; it runs when no end is given. */
export function entry(
  state: 'Completed' | 'Partial',
  version: string,
  begun: Instant,
  ended?: Instant,
  image = `image-of-${version}`,
): Entry {
  const completionTime = ended === undefined ? null : formatTime(ended)
  return { state, version, image, verified: true, startedTime: formatTime(begun), completionTime }
}

export interface VersionParts {
  readonly name?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly history?: readonly Entry[]
  readonly desired?: string
  readonly image?: string
  readonly conditions?: readonly Condition[]
}

/** A cluster version that has been going from v1 to v2 since the start, unless told. */
export function aClusterVersion({
  name = 'version',
  annotations,
  history,
  desired = v2,
  image = 'image',
  conditions,
}: VersionParts = {}): ClusterVersion {
  const day = 24 * 3600_000
  return fixtures.aClusterVersion({
    name,
    metadata: {
      name,
      uid: `uid-of-${name}`,
      creationTimestamp: '2025-01-01T00:00:00Z',
      ...(annotations === undefined ? {} : { annotations }),
    },
    status: {
      desired: { version: desired, image },
      observedGeneration: 1,
      versionHash: 'hash',
      availableUpdates: null,
      history: history ?? [entry('Partial', v2, start), entry('Completed', v1, start - day, start - day + 3600_000)],
      conditions: conditions ?? [condition('Progressing', 'True', { message: `Working towards ${v2}` }), condition('Failing', 'False')],
    },
  })
}

export function operatorAt(version: string, options: Parameters<typeof fixtures.aClusterOperator>[0] = {}): ClusterOperator {
  return fixtures.aClusterOperator({ ...options, version })
}

/** So many operators, of which so many are at v2 already. */
export function operators(count: number, updated: number): readonly ClusterOperator[] {
  return Array.from({ length: count }, (_, index) => operatorAt(index < updated ? v2 : v1, { name: `operator-${index}` }))
}
