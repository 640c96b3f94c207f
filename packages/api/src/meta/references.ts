import type { TObject } from 'typebox'
import { list, map, object, optional, text } from '../schema/index.ts'

const localReferenceFields = { name: optional(text('Its name.', { default: '' })) }

/** An object of a known kind in the same namespace. */
export function localReference(description: string): TObject<typeof localReferenceFields> {
  return object(description, localReferenceFields, { isAtomic: true })
}

const secretKeyFields = { name: text('The name of the Secret.', { maxLength: 255 }), key: text('The key in it.', { maxLength: 255 }) }

/** One key of a Secret in the same namespace. */
export function secretKeyReference(description: string): TObject<typeof secretKeyFields> {
  return object(description, secretKeyFields)
}

const objectReferenceFields = {
  apiVersion: optional(text('Group and version of the object.')),
  kind: optional(text('Its kind.')),
  namespace: optional(text('Its namespace.')),
  name: optional(text('Its name.')),
  uid: optional(text('Its uid.')),
  resourceVersion: optional(text('The version of it that is meant.')),
  fieldPath: optional(text('The part of it that is meant.')),
}

/** Any object, in the long form of core/v1. */
export function objectReference(description: string): TObject<typeof objectReferenceFields> {
  return object(description, objectReferenceFields, { isAtomic: true })
}

/** An object reference with the objects it was made from; a machine config pool names the configs it was rendered from. */
export const renderedReferenceFields = {
  ...objectReferenceFields,
  source: optional(list('What it was made from.', objectReference('One source.'), { as: 'atomic' })),
}

const labelSelectorFields = {
  matchLabels: optional(map('Labels that must have exactly these values.', text('A value.'))),
  matchExpressions: optional(
    list(
      'Further requirements; all must hold.',
      object('One requirement.', {
        key: text('The label.'),
        operator: text('In, NotIn, Exists or DoesNotExist.'),
        values: optional(list('The values for In and NotIn.', text('A value.'), { as: 'atomic' })),
      }),
      { as: 'atomic' },
    ),
  ),
}

/** Selects objects by their labels. An empty selector selects everything. */
export function labelSelector(description: string): TObject<typeof labelSelectorFields> {
  return object(description, labelSelectorFields, { isAtomic: true })
}
