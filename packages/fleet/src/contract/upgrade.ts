/** A managed upgrade: where it stands, and its steps as a time line. */
export interface UpgradeView {
  readonly name: string
  readonly namespace: string
  readonly type: string
  readonly to: string
  readonly phase: string
  /** When it is to begin. */
  readonly scheduledTime?: string
  readonly startedTime?: string
  readonly completionTime?: string
  /** In the order in which they are taken. */
  readonly steps: readonly StepView[]
}

export interface StepView {
  readonly name: string
  readonly state: 'Done' | 'Running' | 'Waiting' | 'Failed'
  readonly startedTime?: string
  readonly completionTime?: string
  /** What it does, or waits for, or why it failed. */
  readonly message?: string
}
