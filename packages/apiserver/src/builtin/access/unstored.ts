import type { JsonObject } from '../../json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { pointer, struct, type Declared, type StructType } from '../dsl/index.ts'
import * as authentication from '../fields/authentication.ts'
import * as authorization from '../fields/authorization.ts'
import { scaleSpec, scaleStatus } from '../fields/autoscaling.ts'
import { deleteOptions, objectMeta } from '../fields/meta.ts'
import { objectReference } from '../fields/references.ts'
import { canonicalReader, objectSchema } from '../kind.ts'

/** A kind that is asked and answered, but never stored. */
export interface UnstoredKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly schema: JsonSchema
  /** For those who read other encodings than JSON. */
  readonly type: StructType
  /** Brings what a client sent into the form it is answered in. Throws DecodeError for ill-typed values. */
  readonly normalize: (object: JsonObject) => JsonObject
}

/** A question that has a URL of its own. */
export interface ReviewKind extends UnstoredKind {
  /** Plural, as in URLs. */
  readonly resource: string
  readonly singular: string
  readonly namespaced: boolean
}

function unstored(group: string, kind: string, fields: Readonly<Record<string, Declared>>): UnstoredKind {
  const type = struct({ metadata: objectMeta, ...fields })
  return { group, version: 'v1', kind, type, schema: objectSchema(type), normalize: canonicalReader(type) }
}

function review(group: string, kind: string, fields: Readonly<Record<string, Declared>>, namespaced = false): ReviewKind {
  const singular = kind.toLowerCase()
  return { ...unstored(group, kind, fields), resource: `${singular}s`, singular, namespaced }
}

const [authenticationGroup, authorizationGroup] = ['authentication.k8s.io', 'authorization.k8s.io']
const access = { spec: authorization.subjectAccessReviewSpec, status: authorization.subjectAccessReviewStatus }

/** Questions about who somebody is and what they may do. */
export const reviewKinds: readonly ReviewKind[] = [
  review(authenticationGroup, 'TokenReview', { spec: authentication.tokenReviewSpec, status: authentication.tokenReviewStatus }),
  review(authenticationGroup, 'SelfSubjectReview', { status: authentication.selfSubjectReviewStatus }),
  review(authorizationGroup, 'SubjectAccessReview', access),
  review(authorizationGroup, 'LocalSubjectAccessReview', access, true),
  review(authorizationGroup, 'SelfSubjectAccessReview', {
    spec: authorization.selfSubjectAccessReviewSpec,
    status: authorization.subjectAccessReviewStatus,
  }),
  review(authorizationGroup, 'SelfSubjectRulesReview', {
    spec: authorization.selfSubjectRulesReviewSpec,
    status: authorization.subjectRulesReviewStatus,
  }),
]

/** Bodies of subresources that are not the object itself: `/token`, `/eviction`, `/binding`, `/scale`. */
export const subresourceKinds: readonly UnstoredKind[] = [
  unstored(authenticationGroup, 'TokenRequest', { spec: authentication.tokenRequestSpec, status: authentication.tokenRequestStatus }),
  unstored('policy', 'Eviction', { deleteOptions: pointer(deleteOptions) }),
  unstored('', 'Binding', { target: objectReference }),
  unstored('autoscaling', 'Scale', { spec: scaleSpec, status: scaleStatus }),
]
