import type { ClusterView, ProblemView } from '@windlass/fleet/contract'
import { useEffect } from 'preact/hooks'
import { type ClusterParts, idOf } from '../../src/address/index.ts'
import { cluster, clusterProblem, followCluster } from '../server/cluster.ts'

/** Follows a cluster while a page shows it. What is still there of another one does not count. */
export function useCluster(parts: ClusterParts): { readonly view: ClusterView | undefined; readonly problem: ProblemView | undefined } {
  useEffect(() => {
    const stream = followCluster(parts)
    return () => stream.close()
  }, [])
  const view = cluster.value
  return { view: view?.row.id === idOf(parts) ? view : undefined, problem: clusterProblem.value }
}
