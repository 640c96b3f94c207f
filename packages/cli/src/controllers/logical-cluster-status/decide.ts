import { LogicalCluster, type Secret } from '@windlass/api'
import { type Condition, type Instant, setCondition } from '@windlass/core'
import { done, type Plan, plan, status } from '@windlass/kube'

export interface Observed {
  readonly cluster: LogicalCluster
  /** The Secret that the cluster names, if it exists. */
  readonly kubeconfig: Secret | undefined
}

type Judgement = Pick<Condition, 'status'> & { readonly reason: string; readonly message: string }

/** Says on each LogicalCluster whether somebody who wants to use it can: is it served, and is there a kubeconfig for it? */
export function decide({ cluster, kubeconfig }: Observed, now: Instant): Plan {
  if (cluster.metadata.deletionTimestamp !== undefined) return done
  const judgement = judge(cluster, kubeconfig)
  const conditions = setCondition(cluster.status?.conditions, { type: 'Usable', ...judgement }, now)
  // The server writes conditions of its own into the same list.
  return plan(status(LogicalCluster, cluster, { conditions }, `its state is ${judgement.reason}`, { ifUnchanged: true }))
}

function judge({ status }: LogicalCluster, kubeconfig: Secret | undefined): Judgement {
  const ref = status?.kubeconfigSecretRef
  if (status?.phase !== 'Ready') {
    return {
      status: 'False',
      reason: 'NotServed',
      message: 'No server serves this cluster yet: it needs an embedded API server of Windlass.',
    }
  }
  if (ref === undefined) return { status: 'Unknown', reason: 'NoAddress', message: 'It is served, but its server has not said where.' }
  const secret = `Secret ${ref.namespace}/${ref.name}`
  if (kubeconfig === undefined) {
    return { status: 'False', reason: 'KubeconfigMissing', message: `${secret} is gone: restart the server to have it written again.` }
  }
  if (kubeconfig.data?.[ref.key] === undefined) {
    return {
      status: 'False',
      reason: 'KubeconfigIncomplete',
      message: `${secret} has no key ${ref.key}: delete it and restart the server.`,
    }
  }
  return { status: 'True', reason: 'KubeconfigPresent', message: `${secret} lets you in.` }
}
