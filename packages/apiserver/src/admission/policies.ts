import type { Cluster } from '../clusters/cluster.ts'
import { ApiError, forbidden } from '../errors/api-error.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { AdmissionPlugin, AdmissionRequest } from '../registry/admission.ts'
import { metadataOf, nameOf, strings, text } from '../registry/object-meta.ts'
import { keyFor, parseStored } from '../registry/stored.ts'
import { labelSelectorFromObject } from '../selectors/index.ts'
import { resourcePrefix } from '../storage/keys.ts'
import { compilePolicy, type Policy, type PolicyInputs, type Violation } from './policy.ts'

const group = 'admissionregistration.k8s.io'
const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, Invalid: 422, RequestEntityTooLarge: 413 }

/** Checks writes against the cluster's ValidatingAdmissionPolicies and their bindings. Costs one look-up where there are none. */
export function admissionPolicies(clusterOf: (name: string) => Cluster | undefined): AdmissionPlugin {
  const compiled = new Map<string, { readonly revision: number; readonly policy: Policy }>()

  const policyAt = (key: string, revision: number, bytes: Buffer): Policy => {
    const known = compiled.get(key)
    if (known?.revision === revision) return known.policy
    const policy = compilePolicy(parseStored(bytes))
    compiled.set(key, { revision, policy })
    return policy
  }

  return {
    name: 'ValidatingAdmissionPolicy',
    validate(request) {
      const cluster = clusterOf(request.cluster)
      const prefix = resourcePrefix(request.cluster, group, 'validatingadmissionpolicybindings')
      if (cluster === undefined || cluster.store.count(prefix) === 0 || request.served.type.group === group) return
      for (const entry of cluster.store.scan(prefix)) {
        const binding = parseStored(entry.bytes)
        const spec = isObject(binding.spec) ? binding.spec : {}
        const type = cluster.catalog.type(group, 'validatingadmissionpolicies')
        const key = type === undefined ? '' : keyFor(request.cluster, type, '', text(spec.policyName))
        const stored = cluster.store.get(key)
        if (stored === undefined) continue
        judge(cluster, request, policyAt(key, stored.revision, stored.bytes), binding, spec)
      }
    },
  }
}

function judge(cluster: Cluster, request: AdmissionRequest, policy: Policy, binding: JsonObject, spec: JsonObject): void {
  const namespace = namespaceObject(cluster, request)
  if (
    !matches(policy.constraints, request, namespace) ||
    (isObject(spec.matchResources) && !matches(spec.matchResources, request, namespace))
  )
    return
  const inputs = { request, namespace, params: paramsOf(cluster, policy, spec, request) }
  for (const violation of policy.evaluate(inputs)) act(request, policy, binding, strings(spec.validationActions), violation)
}

function act(request: AdmissionRequest, policy: Policy, binding: JsonObject, actions: readonly string[], violation: Violation): void {
  const where = `ValidatingAdmissionPolicy '${policy.name}' with binding '${nameOf(binding)}'`
  if (actions.includes('Warn')) request.warn(`Validation failed for ${where}: ${violation.message}`)
  if (!actions.includes('Deny')) return
  const why = `${where} denied request: ${violation.message}`
  const { message, status } = forbidden(request.served.type, request.name, why)
  const details = { ...status.details, causes: [{ message: why }] }
  throw new ApiError(codes[violation.reason] ?? 422, violation.reason, message, { details })
}

function namespaceObject(cluster: Cluster, request: AdmissionRequest): JsonObject | undefined {
  const type = cluster.catalog.type('', 'namespaces')
  if (type === undefined || request.namespace === '') return undefined
  const entry = cluster.store.get(keyFor(request.cluster, type, '', request.namespace))
  return entry === undefined ? undefined : parseStored(entry.bytes)
}

/** Whether rules and selectors of a policy or binding speak of this request. */
function matches(constraints: JsonObject, request: AdmissionRequest, namespace: JsonObject | undefined): boolean {
  const { type, version } = request.served
  const resource = request.subresource === '' ? type.resource : `${type.resource}/${request.subresource}`
  const fits = (rule: JsonObject): boolean =>
    covers(strings(rule.apiGroups), type.group) &&
    covers(strings(rule.apiVersions), version.name) &&
    covers(strings(rule.operations), request.operation) &&
    (strings(rule.resources).includes(resource) || strings(rule.resources).includes('*') || strings(rule.resources).includes('*/*')) &&
    (strings(rule.resourceNames).length === 0 || strings(rule.resourceNames).includes(request.name))
  const rules = Array.isArray(constraints.resourceRules) ? constraints.resourceRules.filter(isObject) : undefined
  if (rules !== undefined && !rules.some(fits)) return false
  const excluded = Array.isArray(constraints.excludeResourceRules) ? constraints.excludeResourceRules.filter(isObject) : []
  if (excluded.some(fits)) return false
  if (isObject(constraints.namespaceSelector) && namespace !== undefined && !selected(constraints.namespaceSelector, namespace))
    return false
  const subject = request.object ?? request.old
  return !isObject(constraints.objectSelector) || subject === undefined || selected(constraints.objectSelector, subject)
}

const covers = (list: readonly string[], value: string): boolean => list.includes('*') || list.includes(value)

function selected(selector: JsonObject, object: JsonObject): boolean {
  const labels = metadataOf(object).labels
  return labelSelectorFromObject(selector).matches(isObject(labels) ? labels : {})
}

/** The object that a binding hands to its policy as `params`. */
function paramsOf(cluster: Cluster, policy: Policy, spec: JsonObject, request: AdmissionRequest): PolicyInputs['params'] {
  if (policy.paramKind === undefined) return undefined
  const reference = isObject(spec.paramRef) ? spec.paramRef : {}
  const [paramGroup, version] = policy.paramKind.apiVersion.includes('/')
    ? policy.paramKind.apiVersion.split('/')
    : ['', policy.paramKind.apiVersion]
  for (const type of cluster.catalog.types()) {
    if (type.group !== paramGroup || type.kind !== policy.paramKind.kind) continue
    const served = cluster.catalog.find(type.group, version ?? '', type.resource)
    const entry =
      served && cluster.store.get(keyFor(cluster.cluster, type, text(reference.namespace) || request.namespace, text(reference.name)))
    if (entry !== undefined) return parseStored(entry.bytes)
  }
  if (text(reference.parameterNotFoundAction) !== 'Deny') return undefined
  throw forbidden(
    request.served.type,
    request.name,
    `ValidatingAdmissionPolicy '${policy.name}': no params found for policy binding with \`Deny\` parameterNotFoundAction`,
  )
}
