import { type ByteString, emptyByteString } from './byte-string.ts'
import type { GroupCommit } from './group-commit.ts'
import { logPosition } from './records.ts'
import type { SharedView } from './shared-view.ts'

/** Small enough that a write that comes in between waits a few milliseconds at most. */
const forgottenAtOnce = 500

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
  let keys: readonly ByteString[]
  do {
    keys = view().keys('log', { from: emptyByteString, to, limit: forgottenAtOnce })
    await commits.gather((batch) => batch.forget(keys, revision)).durable
  } while (keys.length === forgottenAtOnce && !isStopped())
}
