/** Who looks at the page. */
export interface SessionView {
  readonly user: string
  /** False unless the server was started with `--allow-actions`. What the cluster allows is the cluster's business. */
  readonly mayAct: boolean
  /** Of Windlass. */
  readonly version: string
}

/** Something to do to a cluster. */
export type ActionRequest =
  | { readonly do: 'upgrade'; readonly image: string; readonly side: 'Both' | 'ControlPlane' }
  | { readonly do: 'pause'; readonly until?: string }
  | { readonly do: 'resume' }

export interface ActionResult {
  /** What was done, as a sentence. */
  readonly message: string
}

/** The body of every answer that is not a success. */
export interface ProblemView {
  readonly code: number
  readonly message: string
}
