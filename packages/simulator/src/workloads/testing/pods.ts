import type { KubernetesObject, Pod } from '@windlass/api'
import { aPod } from '@windlass/api/fixtures'
import { formatTime, type Instant } from '@windlass/core'
import { setControllerReference } from '@windlass/kube'

/** When tests happen. */
export const noon: Instant = Date.UTC(2026, 2, 6, 12)

export interface PodOptions {
  readonly owner?: KubernetesObject
  /** Running and ready unless told. */
  readonly is?: 'pending' | 'running' | 'ready' | 'succeeded' | 'failed'
  /** Since when it is ready; an hour before noon unless told. */
  readonly since?: Instant
  readonly isTerminating?: boolean
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly node?: string
  readonly restarts?: number
}

const phases = { pending: 'Pending', running: 'Running', ready: 'Running', succeeded: 'Succeeded', failed: 'Failed' } as const

/** A Pod as a kubelet leaves it. */
export function podNamed(name: string, options: PodOptions = {}): Pod {
  const {
    owner,
    is = 'ready',
    since = noon - 3_600_000,
    isTerminating = false,
    labels = {},
    annotations = {},
    node = 'virtual-node',
    restarts = 0,
  } = options
  const time = formatTime(since)
  const pod = aPod({
    name,
    node,
    metadata: {
      labels,
      annotations,
      creationTimestamp: formatTime(since - 60_000),
      ...(isTerminating ? { deletionTimestamp: formatTime(noon), deletionGracePeriodSeconds: 30 } : {}),
    },
    status: {
      phase: phases[is],
      startTime: formatTime(since - 60_000),
      conditions: [{ type: 'Ready', status: is === 'ready' ? 'True' : 'False', lastTransitionTime: time }],
      containerStatuses: [
        {
          name: 'kube-apiserver',
          ready: is === 'ready',
          restartCount: restarts,
          image: '',
          imageID: '',
          state: is === 'succeeded' || is === 'failed' ? { terminated: { exitCode: is === 'failed' ? 1 : 0, finishedAt: time } } : {},
        },
      ],
    },
  })
  return owner === undefined ? pod : setControllerReference(pod, owner)
}
