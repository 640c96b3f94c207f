import type { ClusterOperator } from '@windlass/api'
import { findCondition, type Instant, isTrue, parseTime, transitionTime } from '@windlass/core'
import { earliest, type Observation, type Observations, orNoMessage, references, stageAt, withReason } from '../health/index.ts'
import type { ProgressStatus } from './assess.ts'

const minute = 60_000

/** A trouble of an operator that its own conditions tell of, and from when on it is how bad. */
interface Trouble {
  readonly type: string
  readonly status: string
  readonly words: string
  readonly reference: string
  readonly stages: readonly { readonly after: number; readonly level: 'Warning' | 'Error' }[]
}

const troubles: readonly Trouble[] = [
  {
    type: 'Available',
    status: 'False',
    words: 'is unavailable',
    reference: references.operatorDown,
    stages: [
      { after: 5 * minute, level: 'Warning' },
      { after: 20 * minute, level: 'Error' },
    ],
  },
  {
    type: 'Degraded',
    status: 'True',
    words: 'is degraded',
    reference: references.operatorDegraded,
    stages: [
      { after: 5 * minute, level: 'Warning' },
      { after: 40 * minute, level: 'Error' },
    ],
  },
]

/** The one that waits until all machines of the control plane have restarted takes longer. */
const slowAfter = (name: string): number => (name === 'machine-config' ? 90 : 30) * minute

/** What is wrong with an operator during an update. */
export function observe(operator: ClusterOperator, progress: ProgressStatus, now: Instant, speed = 1): Observations {
  const found = [
    ...troubles.map((trouble) => observeTrouble(operator, trouble, now, speed)),
    observeSlowness(operator, progress, now, speed),
  ]
  return { observations: found.flatMap(({ observations }) => observations), nextAt: earliest(...found.map(({ nextAt }) => nextAt)) }
}

const nothing: Observations = { observations: [], nextAt: undefined }

function observeTrouble(
  operator: ClusterOperator,
  { type, status, words, reference, stages }: Trouble,
  now: Instant,
  speed: number,
): Observations {
  const condition = findCondition(operator.status?.conditions, type)
  const since = parseTime(condition?.lastTransitionTime)
  if (condition?.status !== status || since === undefined) return nothing
  const { stage, nextAt } = stageAt(stages, since, now, speed)
  if (stage === undefined) return { observations: [], nextAt }
  const summary = withReason(`Cluster Operator ${operator.metadata.name} ${words}`, condition.reason)
  const description = orNoMessage(condition.message)
  const { level } = stage
  return { observations: [{ ...about(operator), level, impact: 'API Availability', summary, description, reference, since }], nextAt }
}

function observeSlowness(operator: ClusterOperator, { conditions }: ProgressStatus, now: Instant, speed: number): Observations {
  const since = transitionTime(conditions, 'Updating')
  if (!isTrue(conditions, 'Updating') || since === undefined) return nothing
  const { name = '' } = operator.metadata
  const { stage, nextAt } = stageAt([{ after: slowAfter(name) }], since, now, speed)
  if (stage === undefined) return { observations: [], nextAt }
  const observation: Observation = {
    ...about(operator),
    level: 'Warning',
    impact: 'Update Speed',
    summary: `Cluster Operator ${name} is updating longer than expected`,
    description: orNoMessage(findCondition(conditions, 'Updating')?.message),
    reference: references.operatorDegraded,
    since,
  }
  return { observations: [observation], nextAt }
}

function about({ metadata: { name = '' } }: ClusterOperator): Pick<Observation, 'scope' | 'resources'> {
  return { scope: 'ControlPlane', resources: [{ group: 'config.openshift.io', resource: 'clusteroperators', name }] }
}
