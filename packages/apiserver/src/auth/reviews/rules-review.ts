import { badRequest } from '../../errors/api-error.ts'
import type { JsonObject } from '../../json.ts'
import { objectAt, text } from '../fields.ts'
import { joined } from '../rbac/authorizer.ts'
import { ruleObject, type PolicyRule } from '../rbac/policy-rule.ts'
import type { Review } from './review.ts'

const none: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] }

/** All that the sender may do in one namespace: what `kubectl auth can-i --list` shows. */
export const selfSubjectRulesReview: Review = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'selfsubjectrulesreviews',
  singular: 'selfsubjectrulesreview',
  kind: 'SelfSubjectRulesReview',
  namespaced: false,
  answer(body, { user, rulesFor }) {
    const namespace = text(objectAt(body, 'spec')?.namespace)
    if (namespace === '') throw badRequest('no namespace on request')
    const { rules, errors } = rulesFor(user, namespace)
    return {
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: {},
      status: {
        resourceRules: rules.filter((rule) => rule.resources.length > 0).map(resourcePart),
        nonResourceRules: rules.filter((rule) => rule.nonResourceURLs.length > 0).map(pathPart),
        incomplete: false,
        ...(errors.length === 0 ? {} : { evaluationError: joined(errors) }),
      },
    }
  },
}

function resourcePart(rule: PolicyRule): JsonObject {
  return ruleObject({ ...rule, nonResourceURLs: [] })
}

function pathPart({ verbs, nonResourceURLs }: PolicyRule): JsonObject {
  return ruleObject({ ...none, verbs, nonResourceURLs })
}
