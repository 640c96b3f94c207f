import type { ClusterVersion } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { changed, type Predicate } from '@windlass/kube'

/**
 * Whether a cluster version has changed in a way that concerns every operator and every node: which update is under way, and whether it is. The
 * version operator counts what it has done in its messages, several times a minute; those are not meant.
 */
export const updateChanged: Predicate<ClusterVersion> = changed(({ status }: ClusterVersion) => {
  const newest = status?.history?.[0]
  return {
    progressing: findCondition(status?.conditions, 'Progressing')?.status,
    updates: status?.history?.length ?? 0,
    newest: newest === undefined ? undefined : [newest.state, newest.version ?? '', newest.image],
    desired: status?.desired.version,
  }
})
