/**
 * How an operator behaves besides taking its time: `static-pods` restart on one control plane node after the other and say how many are done,
 * `daemon-set`s notice every node that restarts, `machine-config` waits for nodes.
 */
export type OperatorSort = 'ordinary' | 'static-pods' | 'daemon-set' | 'machine-config'

/** An operator of a release, with the place at which the version operator waits for it. */
export interface PayloadOperator {
  readonly name: string
  readonly sort: OperatorSort
  /** How long it works on the reference cluster. Of machine-config: what it does itself, before it waits for nodes. */
  readonly minutes: number
  /** It never says that it is progressing. Many do not. */
  readonly isQuiet: boolean
  /** The number of the manifest at which it is waited for. */
  readonly manifest: number
}

/** Steps are taken one after the other; what is in a step goes on side by side. */
export interface PayloadStep {
  readonly operators: readonly PayloadOperator[]
  /** All manifests of the step, those of its operators included. */
  readonly manifests: number
}

/** What a release has in it, as far as clusters of one sort take it. */
export interface Payload {
  readonly steps: readonly PayloadStep[]
  /** All manifests. */
  readonly manifests: number
  /** On every operator of it: says that it came with the release. */
  readonly mark: string
  /** Its operators by name, with the number of their step. */
  readonly operators: ReadonlyMap<string, { readonly operator: PayloadOperator; readonly step: number }>
}

export function payloadOf(mark: string, steps: readonly PayloadStep[]): Payload {
  const operators = steps.flatMap((step, index) => step.operators.map((operator) => [operator.name, { operator, step: index }] as const))
  const manifests = steps.reduce((sum, step) => sum + step.manifests, 0)
  return { steps, manifests, mark, operators: new Map(operators) }
}

/**
 * Manifests that are done while a step is under way. Of a step with operators all but those at which one is waited for. Operators count by their
 * version, whatever else is wrong with them: so the count never falls.
 */
export function manifestsDone({ steps }: Payload, step: number, hasVersion: (operator: PayloadOperator) => boolean): number {
  let done = 0
  for (const { manifests } of steps.slice(0, step)) done += manifests
  const { operators = [], manifests = 0 } = steps[step] ?? {}
  return operators.length === 0 ? done : done + manifests - operators.filter((operator) => !hasVersion(operator)).length
}
