import { standardConditions } from '../meta/index.ts'
import { int32, int64, object, optional, text } from '../schema/index.ts'

const counts = {
  availableReplicas: optional(int32('Machines that have been ready for long enough.')),
  readyReplicas: optional(int32('Machines that are ready.')),
  upToDateReplicas: optional(int32('Machines that match the template.')),
}

/** The part of a status that the next version of the API has instead. It knows about being up to date; the old counters do not. */
export const nextStatus = object('What the next version of the API says instead.', {
  conditions: optional(standardConditions({ maxItems: 32 })),
})

export const nextReplicasStatus = object('What the next version of the API says instead.', {
  ...counts,
  conditions: optional(standardConditions({ maxItems: 32 })),
})

export const observedGeneration = optional(int64('The generation that this was judged from.'))

/** Something went wrong that no retry will mend. */
export const failure = {
  failureReason: optional(text('What went wrong for good, in a word.')),
  failureMessage: optional(text('What went wrong for good, in words.', { minLength: 1, maxLength: 10_240 })),
}

/** The label selector as text, for autoscalers. */
export const selectorText = optional(text('The selector as text.', { minLength: 1, maxLength: 4096 }))
