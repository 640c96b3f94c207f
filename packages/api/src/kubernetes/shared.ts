/** What several built-in kinds have in common. */

/** Selects objects by their labels; all requirements must hold. An empty selector selects everything, an absent one nothing. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly LabelRequirement[]
}

export interface LabelRequirement {
  readonly key: string
  /** In, NotIn, Exists or DoesNotExist. */
  readonly operator: string
  readonly values?: readonly string[]
}

/**
 * A condition of the older built-in kinds. The times that nobody has set are null there, and nothing but type and status is sure.
 */
export interface BuiltinCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string | null
}

/** A number, or a part of the whole in percent (`25%`). */
export type IntOrPercent = number | string

/** An object of a known kind in the same namespace. */
export interface LocalReference {
  readonly name: string
}

/** Any object. */
export interface ObjectReference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  readonly resourceVersion?: string
}
