import type { KubernetesObject, Namespace } from '@windlass/api'
import { concerns, type Failure, type FailureMode, type PlannedFailure } from './failure.ts'
import { parseFailures, type ParsedFailures } from './parse.ts'

/** On a Pod (by its template), a Service, a Route, or on a namespace, for everything in it. */
export const failureAnnotation = 'simulator.windlass.dev/fail'

/** Where failures are asked for. */
export interface FailureSources {
  /** The namespace that the object is in. */
  readonly namespace: Namespace | undefined
  readonly planned: readonly PlannedFailure[]
}

const nothing: ParsedFailures = { failures: [], problems: [] }

/** What goes wrong with an object. Problems are those of its own annotation and of its namespace's. */
export function failuresOf(object: KubernetesObject, images: readonly string[], { namespace, planned }: FailureSources): ParsedFailures {
  const own = object.metadata.annotations?.[failureAnnotation]
  const common = namespace?.metadata.annotations?.[failureAnnotation]
  if (own === undefined && common === undefined && planned.length === 0) return nothing
  const subject = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '', images }
  const parsed = [parseFailures(own), parseFailures(common)]
  return {
    failures: [...parsed.flatMap(({ failures }) => failures), ...planned].filter((failure) => concerns(failure, subject)),
    problems: parsed.flatMap(({ problems }) => problems),
  }
}

/** The first of this mode. */
export function failing(failures: readonly Failure[], mode: FailureMode): Failure | undefined {
  return failures.find((failure) => failure.mode === mode)
}

/** How many times as long as usual everything takes. */
export function slowness(failures: readonly Failure[]): number {
  return failures.reduce((factor, failure) => (failure.mode === 'slow' ? factor * (failure.factor ?? 10) : factor), 1)
}
