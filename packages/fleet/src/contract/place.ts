/** A cluster of the fleet: `<member>/<namespace>/<name>` for a hosted one, `<member>` for a classic one, which is a member itself. */
export type ClusterId = string

/** An object, and the API that has it. */
export interface ObjectPlace {
  /** The kind as people say it: `NodePool`. */
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  /** On the management side, or in the cluster itself. The two are one for a classic cluster: there it is `guest`. */
  readonly side: 'management' | 'guest'
}

/** A condition as it stands on an object. */
export interface ConditionView {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
  readonly since?: string
  /** Whether it is as it should be in a healthy cluster; left out where no value is better than another. */
  readonly isExpected?: boolean
}
