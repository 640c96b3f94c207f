import type { TArray } from 'typebox'
import { choice, int64, knownWord, list, object, optional, text, time } from '../schema/index.ts'
import type { ListOptions } from '../schema/options.ts'

const statuses = ['True', 'False', 'Unknown'] as const

const qualifiedName = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`
const camelCase = '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$'

/** The condition that newer kinds share. */
const standardCondition = object('One observation about the object.', {
  type: text('What is observed.', { maxLength: 316, pattern: qualifiedName }),
  status: choice('Whether it holds.', statuses),
  reason: text('Why, as one word for programs.', { minLength: 1, maxLength: 1024, pattern: camelCase }),
  message: text('Why, in words for people.', { maxLength: 32_768 }),
  lastTransitionTime: time('When the status changed last.'),
  observedGeneration: optional(int64('The generation of the object that this was judged from.', { minimum: 0 })),
})

/** Conditions keyed by type, so that several writers can share the list. */
export function standardConditions(options: Pick<ListOptions, 'maxItems'> = {}): TArray<typeof standardCondition> {
  return list('What has been observed about the object, one entry per type.', standardCondition, { ...options, keys: ['type'] })
}

/** The condition of OpenShift's own operators: no reason, message or generation is required. */
const operatorCondition = object('One observation about the object.', {
  type: text('What is observed.'),
  status: knownWord('Whether it holds.', statuses),
  reason: optional(text('Why, as one word for programs.')),
  message: optional(text('Why, in words for people.')),
  lastTransitionTime: time('When the status changed last.'),
})

export function operatorConditions(): TArray<typeof operatorCondition> {
  return list('What has been observed about the object, one entry per type.', operatorCondition, { keys: ['type'] })
}

/** The condition of Cluster API before v1beta2: it has a severity and, in the schema, no keys. */
const clusterApiCondition = object('One observation about the object.', {
  type: text('What is observed.', { minLength: 1, maxLength: 256 }),
  status: knownWord('Whether it holds.', statuses),
  severity: optional(text('How bad a False is: Error, Warning or Info.', { maxLength: 32 })),
  reason: optional(text('Why, as one word for programs.', { minLength: 1, maxLength: 256 })),
  message: optional(text('Why, in words for people.', { minLength: 1, maxLength: 10_240 })),
  lastTransitionTime: time('When the status changed last.'),
})

export function clusterApiConditions(): TArray<typeof clusterApiCondition> {
  return list('What has been observed about the object.', clusterApiCondition)
}
