/**
 * The built-in kinds, as data.
 *
 * - `dsl/`: the language of declarations; `kind.ts` makes a served resource of one
 * - `fields/`: what the kinds are made of, one file per area, complete as of Kubernetes 1.33
 * - `core/`, `pods/`, `workloads/`, `policies/`, `access/`: one file per kind with its behaviour: defaults, rules, columns, field labels
 * - `pods/eviction.ts`: whether a PodDisruptionBudget lets a Pod go
 * - `checks.ts`, `columns.ts`, `tree.ts`: what the kinds share
 *
 * CustomResourceDefinition is not here: it has a folder of its own (`crd/`).
 */
import type { Json, JsonObject } from '../json.ts'
import { DecodeError } from '../errors/decode-error.ts'
import type { ResourceType } from '../registry/resource.ts'
import { clusterRoleBinding, roleBinding } from './access/role-binding.ts'
import { clusterRole, role } from './access/role.ts'
import { reviewKinds, subresourceKinds } from './access/unstored.ts'
import { configMap } from './core/config-map.ts'
import { endpoints } from './core/endpoints.ts'
import { coreEvent, event } from './core/event.ts'
import { lease } from './core/lease.ts'
import { namespace } from './core/namespace.ts'
import { node } from './core/node.ts'
import { persistentVolumeClaim } from './core/persistent-volume-claim.ts'
import { limitRange, resourceQuota } from './core/quota.ts'
import { secret } from './core/secret.ts'
import { serviceAccount } from './core/service-account.ts'
import { service } from './core/service.ts'
import { canonicalOf, type StructType } from './dsl/index.ts'
import { deleteOptions } from './fields/meta.ts'
import type { BuiltinKind } from './kind.ts'
import { pod } from './pods/pod.ts'
import { validatingAdmissionPolicy, validatingAdmissionPolicyBinding } from './policies/admission-policy.ts'
import { networkPolicy } from './policies/network-policy.ts'
import { podDisruptionBudget } from './policies/pod-disruption-budget.ts'
import { cronJob } from './workloads/cron-job.ts'
import { daemonSet } from './workloads/daemon-set.ts'
import { deployment } from './workloads/deployment.ts'
import { job } from './workloads/job.ts'
import { replicaSet } from './workloads/replica-set.ts'
import { statefulSet } from './workloads/stateful-set.ts'

const kinds: readonly BuiltinKind[] = [
  configMap,
  endpoints,
  coreEvent,
  limitRange,
  namespace,
  node,
  persistentVolumeClaim,
  pod,
  resourceQuota,
  secret,
  serviceAccount,
  service,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  daemonSet,
  deployment,
  replicaSet,
  statefulSet,
  cronJob,
  job,
  lease,
  event,
  networkPolicy,
  podDisruptionBudget,
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
]

/** Every built-in kind that is stored, by group. */
export const builtinResources: readonly ResourceType[] = kinds.map(({ resource }) => resource)

export { reviewKinds, subresourceKinds }
export type { ReviewKind, UnstoredKind } from './access/unstored.ts'
export { decideEviction, type EvictionDecision } from './pods/eviction.ts'

export { canonicalObject } from './dsl/index.ts'

const typesOfResources = new Map(kinds.map(({ resource, type }) => [resource, type]))

const nameOf = (group: string, version: string, kind: string): string => `${group === '' ? version : `${group}/${version}`} ${kind}`

const typesByName: ReadonlyMap<string, StructType> = new Map([
  ...kinds.map(({ resource, type }): [string, StructType] => [nameOf(resource.group, resource.storageVersion, resource.kind), type]),
  ...[...reviewKinds, ...subresourceKinds].map(({ group, version, kind, type }): [string, StructType] => [
    nameOf(group, version, kind),
    type,
  ]),
])

/** The declaration of a kind, for readers of other encodings than JSON. Options of a deletion exist in every group. */
export function messageType(apiVersion: string, kind: string): StructType | undefined {
  return kind === 'DeleteOptions' ? deleteOptions : typesByName.get(`${apiVersion} ${kind}`)
}

/**
 * Why an object cannot be read as its built-in kind: a value of another type, an unreadable time, quantity or base64 text.
 * Undefined when it can, and for kinds that are not built in.
 */
export function decodeErrors(type: ResourceType, object: JsonObject): string | undefined {
  const declared = typesOfResources.get(type)
  if (declared === undefined) return undefined
  try {
    const value: Json = object
    canonicalOf(declared)(value)
    return undefined
  } catch (error) {
    if (error instanceof DecodeError) return error.message
    throw error
  }
}
