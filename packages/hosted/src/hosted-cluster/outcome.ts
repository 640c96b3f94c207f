import type { Action } from '@windlass/kube'
import type { Component } from '../components/index.ts'

/** What an operation comes to. */
export interface Outcome {
  readonly actions: readonly Action[]
  /** Errors of the operation, in words for people. */
  readonly problems: readonly string[]
  /** What is worth a line in the log and no error: trying again cannot mend it. */
  readonly notes: readonly string[]
  /** Components to be run by their own loop, once everything before is done. */
  readonly components: readonly Component[]
}

const nothing: Outcome = { actions: [], problems: [], notes: [], components: [] }

export function outcome(parts: Partial<Outcome>): Outcome {
  return { ...nothing, ...parts }
}

export function combined(outcomes: readonly Outcome[]): Outcome {
  return {
    actions: outcomes.flatMap(({ actions }) => actions),
    problems: outcomes.flatMap(({ problems }) => problems),
    notes: outcomes.flatMap(({ notes }) => notes),
    components: outcomes.flatMap(({ components }) => components),
  }
}
