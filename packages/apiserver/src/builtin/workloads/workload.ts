import { type FieldError, forbidden, invalid, notSupported, required } from '../../errors/field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { ScalePaths, WriteContext } from '../../registry/resource.ts'
import { labelSelectorFromObject } from '../../selectors/index.ts'
import { labelSelectorErrors } from '../checks.ts'
import { type StructType, zeroOf } from '../dsl/index.ts'
import { podTemplateErrors } from '../pods/pod-spec-checks.ts'
import { podTemplateWarnings } from '../pods/pod-warnings.ts'
import { change, isAbsent, itemsIn, objectIn, put, specOf } from '../tree.ts'

/** What workloads have in common: a selector, a template of Pods, a status that controllers write. */

/** The selector is a label selector here; where it is shown as text it is written in the notation of queries. */
export const scale: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
}

/** New objects start with the status of a controller that has not looked yet. */
export function withInitialStatus(type: StructType): (object: JsonObject) => JsonObject {
  const status = zeroOf(type)
  return (object) => put(object, 'status', status)
}

/** Writers of the status leave the spec alone, and the other way round. */
export function keepOtherHalf(object: JsonObject, old: JsonObject, { subresource }: WriteContext): JsonObject {
  return subresource === 'status' ? put(object, 'spec', old.spec) : put(object, 'status', old.status)
}

/** The same for kinds whose controllers may not move objects between selectors. */
export function keepLabelsToo(object: JsonObject, old: JsonObject, context: WriteContext): JsonObject {
  const kept = keepOtherHalf(object, old, context)
  if (context.subresource !== 'status') return kept
  return change(kept, 'metadata', (metadata) => put(metadata, 'labels', objectIn(old.metadata).labels))
}

export const templateOf = (object: JsonObject): JsonObject => objectIn(specOf(object).template)
export const podSpecOf = (object: JsonObject): JsonObject => specOf(templateOf(object))

export function templateWarnings(object: JsonObject): readonly string[] {
  return podTemplateWarnings(templateOf(object), 'spec.template')
}

/** The selector must be there, must select something, and must select the Pods of the template. */
export function selectorErrors(spec: JsonObject, noun: string): readonly FieldError[] {
  const { selector } = spec
  if (isAbsent(selector)) return [required('spec.selector')]
  const isEmpty = Object.keys(objectIn(objectIn(selector).matchLabels)).length + itemsIn(objectIn(selector).matchExpressions).length === 0
  return [
    ...labelSelectorErrors(selector, 'spec.selector'),
    ...(isEmpty ? [invalid('spec.selector', selector, `empty selector is invalid for ${noun}`)] : []),
  ]
}

export function matchErrors(selector: Json | undefined, template: JsonObject): readonly FieldError[] {
  const { labels } = objectIn(template.metadata)
  if (selects(selector, labels) !== false) return []
  return [invalid('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`')]
}

/** Undefined when the selector itself is broken, which is reported on its own. */
function selects(selector: Json | undefined, labels: Json | undefined): boolean | undefined {
  if (labelSelectorErrors(selector, '').length > 0) return undefined
  return labelSelectorFromObject(selector).matches(labels)
}

/** Rules of templates whose Pods run forever. */
export function lastingTemplateErrors(template: JsonObject, noun: string): readonly FieldError[] {
  return [...podTemplateErrors(template, 'spec.template'), ...foreverErrors(template, noun)]
}

export function foreverErrors(template: JsonObject, noun: string): readonly FieldError[] {
  const { restartPolicy, activeDeadlineSeconds } = specOf(template)
  return [
    ...(restartPolicy === 'Always' ? [] : [notSupported('spec.template.spec.restartPolicy', restartPolicy ?? '', ['Always'])]),
    ...(isAbsent(activeDeadlineSeconds)
      ? []
      : [forbidden('spec.template.spec.activeDeadlineSeconds', `activeDeadlineSeconds in ${noun} is not Supported`)]),
  ]
}

/** Counts in a status may not be larger than what they are a part of. */
export function notAbove(status: JsonObject, parts: readonly string[], whole: string, text: string): readonly FieldError[] {
  const limit = count(status[whole])
  return parts.filter((part) => count(status[part]) > limit).map((part) => invalid(`status.${part}`, count(status[part]), text))
}

const count = (value: Json | undefined): number => (typeof value === 'number' ? value : 0)
