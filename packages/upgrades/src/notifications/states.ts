/** The value of a policy's state in OCM. */
export type PolicyValue = 'pending' | 'scheduled' | 'started' | 'delayed' | 'failed' | 'completed' | 'cancelled'

/** Notifications that are sent, and what they become in OCM: a state of the policy, or, for those that end in SL, a service log. */
export const notificationStates = {
  StateStarted: { policy: 'started' },
  StateDelayed: { policy: 'delayed' },
  StateSkipped: { policy: 'delayed' },
  StateScaleSkipped: { policy: 'delayed' },
  StateCompleted: { policy: 'completed' },
  StateFailed: { policy: 'failed' },
  StateControlPlaneStartedSL: { summary: 'Cluster is starting with control and worker plane upgrade' },
  StateControlPlaneFinishedSL: { summary: 'Cluster has finished control plane upgrade' },
  StateWorkerPlaneFinishedSL: { summary: 'Cluster has finished with worker plane upgrade' },
  StateHealthCheckSL: { summary: 'Cluster has encountered healthcheck failure during upgrade' },
  StatePreHealthCheckSL: { summary: 'Cluster has encountered pre-upgrade healthcheck failure' },
} as const satisfies Readonly<Record<string, { readonly policy: PolicyValue } | { readonly summary: string }>>

export type NotificationState = keyof typeof notificationStates

/** What a policy in OCM can be in. Some of these are only ever read. */
export type PolicyState = Exclude<NotificationState, `${string}SL`> | 'StatePending' | 'StateScheduled' | 'StateCancelled'

export function isNotificationState(state: string): state is NotificationState {
  return Object.hasOwn(notificationStates, state)
}

export function isServiceLog(state: NotificationState): boolean {
  return state.endsWith('SL')
}

/** The pages that people are pointed to. */
export const docReferences: Partial<Record<NotificationState, readonly string[]>> = {
  StateHealthCheckSL: ['https://access.redhat.com/solutions/7081505'],
  StatePreHealthCheckSL: ['https://access.redhat.com/solutions/7081505'],
}

type Transitions = Readonly<Record<PolicyState, readonly NotificationState[]>>

/** From what a policy is in, to what it may be told. */
export const transitions: Transitions = {
  StateScheduled: ['StateStarted'],
  StateStarted: ['StateScaleSkipped', 'StateDelayed', 'StateSkipped', 'StateCompleted', 'StateFailed'],
  StateScaleSkipped: ['StateDelayed', 'StateSkipped', 'StateCompleted', 'StateFailed'],
  StateDelayed: ['StateSkipped', 'StateCompleted', 'StateFailed'],
  StateSkipped: ['StateCompleted', 'StateFailed'],
  StatePending: [],
  StateCompleted: [],
  StateFailed: [],
  StateCancelled: [],
}
