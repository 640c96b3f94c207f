import { type ByteString, emptyByteString } from './byte-string.ts'
import type { GroupCommit } from './group-commit.ts'
import { logPosition } from './records.ts'
import type { SharedView } from './shared-view.ts'

/** How much one step deletes when nobody else writes, and when somebody does: a write should wait a millisecond or two, not ten. */
const idleStep = 512
const busyStep = 64

export interface CompactionOptions {
  readonly revision: number
  readonly commits: GroupCommit
  readonly view: () => SharedView
  readonly isStopped: () => boolean
}

/**
 * Deletes the log up to a revision, a little with each group of writes. The first step already moves the compacted revision: what a stop
 * or a crash leaves behind is never shown, and the next compaction takes it along.
 */
export async function compactLog({ revision, commits, view, isStopped }: CompactionOptions): Promise<void> {
  const to = logPosition(revision + 1)
  let step = busyStep
  let keys: readonly ByteString[]
  do {
    const before = view().revision
    keys = view().keys('log', { from: emptyByteString, to, limit: step })
    await commits.gather((batch) => batch.forget(keys, revision)).durable
    if (keys.length < step) return
    step = view().revision > before ? busyStep : idleStep
  } while (!isStopped())
}
