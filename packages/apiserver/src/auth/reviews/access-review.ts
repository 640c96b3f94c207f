import { invalid, required, type FieldError } from '../../errors/field-error.ts'
import { isArray, isObject, type JsonObject } from '../../json.ts'
import type { Attributes, Decision } from '../attributes.ts'
import { objectAt, text, textList } from '../fields.ts'
import type { User } from '../user.ts'
import { invalidReview, pick, reviewMetadata, type Review, type ReviewContext } from './review.ts'

/** The three reviews that ask whether somebody may do something. */

const group = 'authorization.k8s.io'

interface Variation {
  readonly kind: string
  readonly namespaced: boolean
  /** The review is about whoever sends it. */
  readonly self: boolean
}

const attributeKeys = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name', 'fieldSelector', 'labelSelector']
const subjectKeys = ['user', 'groups', 'extra', 'uid']

function accessReview({ kind, namespaced, self }: Variation): Review {
  return {
    group,
    version: 'v1',
    resource: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    kind,
    namespaced,
    answer(body, context) {
      const metadata = reviewMetadata(body, context, namespaced)
      const spec = readSpec(body, self)
      const errors = [...specErrors(spec, self), ...metadataErrors(metadata, namespaced), ...(namespaced ? localErrors(spec, context) : [])]
      if (errors.length > 0) throw invalidReview(group, errors)
      const decision = context.authorize(self ? context.user : subjectOf(spec), attributesOf(spec))
      return { kind, apiVersion: `${group}/v1`, metadata, spec, status: accessStatus(decision) }
    },
  }
}

export const selfSubjectAccessReview = accessReview({ kind: 'SelfSubjectAccessReview', namespaced: false, self: true })
export const subjectAccessReview = accessReview({ kind: 'SubjectAccessReview', namespaced: false, self: false })
export const localSubjectAccessReview = accessReview({ kind: 'LocalSubjectAccessReview', namespaced: true, self: false })

function readSpec(body: JsonObject, self: boolean): JsonObject {
  const spec = objectAt(body, 'spec') ?? {}
  const resource = objectAt(spec, 'resourceAttributes')
  const path = objectAt(spec, 'nonResourceAttributes')
  return {
    ...(resource === undefined ? {} : { resourceAttributes: pick(resource, attributeKeys) }),
    ...(path === undefined ? {} : { nonResourceAttributes: pick(path, ['path', 'verb']) }),
    ...(self ? {} : pick(spec, subjectKeys)),
  }
}

function specErrors(spec: JsonObject, self: boolean): readonly FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec
  const errors: FieldError[] = []
  if (resource !== undefined && path !== undefined) {
    errors.push(invalid('spec.nonResourceAttributes', path, 'cannot be specified in combination with resourceAttributes'))
  }
  if (resource === undefined && path === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    errors.push(invalid('spec.resourceAttributes', 'null', detail))
  }
  if (!self && text(spec.user) === '' && textList(spec.groups).length === 0) {
    errors.push(invalid('spec.user', '', 'at least one of user or group must be specified'))
  }
  if (isObject(resource)) {
    errors.push(...selectorErrors(resource, 'fieldSelector'), ...selectorErrors(resource, 'labelSelector'))
  }
  return errors
}

function selectorErrors(resource: JsonObject, key: 'fieldSelector' | 'labelSelector'): readonly FieldError[] {
  const selector = objectAt(resource, key)
  if (selector === undefined) return []
  const field = `spec.resourceAttributes.${key}`
  const hasRequirements = isArray(selector.requirements) && selector.requirements.length > 0
  const raw = text(selector.rawSelector)
  if (raw !== '' && hasRequirements) return [invalid(`${field}.rawSelector`, raw, 'may not specified at the same time as requirements')]
  if (raw !== '' || hasRequirements) return []
  return [required(`${field}.requirements`, `when ${field} is specified, requirements or rawSelector is required`)]
}

function metadataErrors(metadata: JsonObject, namespaced: boolean): readonly FieldError[] {
  const { namespace: _namespace, ...others } = metadata
  if (Object.keys(others).length === 0) return []
  return [invalid('metadata', metadata, namespaced ? 'must be empty except for namespace' : 'must be empty')]
}

function localErrors(spec: JsonObject, context: ReviewContext): readonly FieldError[] {
  const errors: FieldError[] = []
  const resource = objectAt(spec, 'resourceAttributes')
  const path = objectAt(spec, 'nonResourceAttributes')
  if (resource !== undefined && text(resource.namespace) !== context.namespace) {
    errors.push(invalid('spec.resourceAttributes.namespace', text(resource.namespace), 'must match metadata.namespace'))
  }
  if (path !== undefined) errors.push(invalid('spec.nonResourceAttributes', path, 'disallowed on this kind of request'))
  return errors
}

/** The user as described, without the groups that a login would add. */
function subjectOf(spec: JsonObject): User {
  const extra = Object.entries(objectAt(spec, 'extra') ?? {}).map(([key, values]): [string, readonly string[]] => [key, textList(values)])
  return { name: text(spec.user), uid: text(spec.uid), groups: textList(spec.groups), extra: Object.fromEntries(extra) }
}

function attributesOf(spec: JsonObject): Attributes {
  const path = objectAt(spec, 'nonResourceAttributes')
  if (path !== undefined) return { verb: text(path.verb), path: text(path.path) }
  const resource = objectAt(spec, 'resourceAttributes') ?? {}
  return {
    verb: text(resource.verb),
    group: text(resource.group),
    version: text(resource.version) || '*',
    resource: text(resource.resource),
    subresource: text(resource.subresource),
    name: text(resource.name),
    namespace: text(resource.namespace),
  }
}

function accessStatus({ allowed, reason }: Decision): JsonObject {
  return { allowed, ...(reason === '' ? {} : { reason }) }
}
