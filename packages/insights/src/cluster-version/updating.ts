import type { ClusterVersion } from '@windlass/api'
import { findCondition } from '@windlass/core'
import type { Judgement } from '../conditions.ts'

type Status = NonNullable<ClusterVersion['status']>
export type UpdateEntry = NonNullable<Status['history']>[number]

interface Row {
  readonly progressing: 'True' | 'False'
  /** Of the newest update. */
  readonly is: (entry: { readonly state: string; readonly hasEnded: boolean }) => boolean
  readonly updating?: Pick<Judgement, 'status' | 'reason'>
  /** What does not fit together. */
  readonly but?: string
}

/** What the version operator says of itself, held against its record. The first row that fits counts. */
const rows: readonly Row[] = [
  {
    progressing: 'True',
    is: ({ state, hasEnded }) => state === 'Partial' && !hasEnded,
    updating: { status: 'True', reason: 'Progressing' },
  },
  {
    progressing: 'True',
    is: ({ state }) => state !== 'Partial',
    but: 'Progressing=True in ClusterVersion but last history item is not Partial',
  },
  {
    progressing: 'True',
    is: ({ hasEnded }) => hasEnded,
    but: 'Progressing=True in ClusterVersion but last history item has completion time',
  },
  {
    progressing: 'False',
    is: ({ state, hasEnded }) => state === 'Completed' && hasEnded,
    updating: { status: 'False', reason: 'NotProgressing' },
  },
  {
    progressing: 'False',
    is: ({ state }) => state !== 'Completed',
    but: 'Progressing=False in ClusterVersion but last history item is not completed',
  },
  {
    progressing: 'False',
    is: ({ hasEnded }) => !hasEnded,
    but: 'Progressing=False in ClusterVersion but no completion in last history item',
  },
]

const unknown = { status: 'Unknown', reason: 'CannotDetermineUpdating' } as const

/** Whether the control plane is being updated. Whatever does not fit together is Unknown, and the message says what. */
export function judgeUpdating({ status }: ClusterVersion): Judgement {
  const type = 'Updating'
  const progressing = findCondition(status?.conditions, 'Progressing')
  if (progressing === undefined) return { type, ...unknown, message: 'No Progressing condition in ClusterVersion' }
  const said = `ClusterVersion has Progressing=${progressing.status}(Reason=${progressing.reason ?? ''}) | Message='${progressing.message ?? ''}'`
  const [newest] = status?.history ?? []
  if (newest === undefined) return { type, ...unknown, message: `${said} | Empty history in ClusterVersion` }
  const entry = { state: newest.state, hasEnded: hasEnded(newest) }
  const row = rows.find((each) => each.progressing === progressing.status && each.is(entry))
  return { type, ...(row?.updating ?? unknown), message: row?.but === undefined ? said : `${said} | ${row.but}` }
}

/** A running update has null there, which is the same as nothing. */
export function hasEnded({ completionTime }: UpdateEntry): boolean {
  return completionTime !== null && completionTime !== undefined
}
