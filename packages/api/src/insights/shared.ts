import type { TObject } from 'typebox'
import type { Rule } from '../schema/index.ts'
import { choice, emptyObject, object, optional, rule, text } from '../schema/index.ts'

export const group = 'openshift.muller.dev'
export const version = 'v1alpha1'
export const scope = 'Cluster'

export const spec = emptyObject('Nothing to configure here: an insight is only read.')

/** A progress insight is about one object and has its name. */
export function namedAfter(field: '.status' | '.status.name'): Rule {
  return rule('!has(self.status) || self.status.name == self.metadata.name', `When status is present, ${field} must match .metadata.name`)
}

/** The name of what the insight is about. */
export const subjectName = text('What this is about.', { minLength: 1, maxLength: 64, pattern: '^[a-z0-9-]+$' })

/** Judgements are for people and may be any text; programs read conditions. */
export const assessment = text('How it goes, in a word for people.', { minLength: 1, maxLength: 64 })

export const scopeType = choice('Which part of the cluster this is about.', ['ControlPlane', 'WorkerPool'])

/** Semantic version without build metadata. */
export const semanticVersion = String.raw`(?:0|[1-9]\d*)[.](?:0|[1-9]\d*)[.](?:0|[1-9]\d*)(?:-(?:(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:[.](?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?`

const subdomainRule = rule(
  '!format.dns1123Subdomain().validate(self).hasValue()',
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character.",
)
const labelRule = rule(
  '!format.dns1123Label().validate(self).hasValue()',
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character.",
)

const resourceFields = {
  group: optional(text('Its API group; absent for the core one.', { maxLength: 253, rules: [subdomainRule] })),
  resource: text('Its resource, in the plural.', { maxLength: 253, rules: [labelRule] }),
  namespace: optional(text('Its namespace.', { maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' })),
  name: text('Its name.', { maxLength: 253, rules: [subdomainRule] }),
}

/** Any object, by resource. */
export function resourceReference(description: string, rules: readonly Rule[] = []): TObject<typeof resourceFields> {
  return object(description, resourceFields, rules.length === 0 ? {} : { rules })
}
