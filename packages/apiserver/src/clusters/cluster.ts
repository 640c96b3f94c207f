import type { Clock, Random } from '@windlass/core'
import { RbacAuthorizer, type RbacKind, rbacGroup } from '../auth/index.ts'
import { toResourceType } from '../crd/index.ts'
import { equalJson, isArray, isObject, type JsonObject } from '../json.ts'
import type { AdmissionChain } from '../registry/admission.ts'
import { Catalog } from '../registry/catalog.ts'
import { isBeingDeleted, metadataOf, text } from '../registry/object-meta.ts'
import { parseStored } from '../registry/stored.ts'
import type { Scope } from '../registry/write-request.ts'
import { parseKey, resourcePrefix } from '../storage/keys.ts'
import type { Change, Store } from '../storage/store.ts'

export const crdGroup = 'apiextensions.k8s.io'
export const crdResource = 'customresourcedefinitions'

const rbacKinds: Readonly<Record<string, RbacKind>> = {
  roles: 'Role',
  clusterroles: 'ClusterRole',
  rolebindings: 'RoleBinding',
  clusterrolebindings: 'ClusterRoleBinding',
}

export interface ClusterParts {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly admission: AdmissionChain
}

/**
 * A whole Kubernetes API of its own: which resources it has and who may do what. Its objects live in the shared store under its
 * name; what is here is derived from them.
 */
export class Cluster implements Scope {
  readonly cluster: string
  readonly catalog: Catalog
  readonly authorizer: RbacAuthorizer
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly admission: AdmissionChain
  /** Specs as served, to see whether a change of a CustomResourceDefinition matters to its objects. */
  readonly #served = new Map<string, { readonly spec: JsonObject; readonly since: number }>()
  /** `resource.group` of those on their way out: no new objects of theirs. */
  readonly #closing = new Set<string>()

  constructor(name: string, parts: ClusterParts, base: Catalog, template: RbacAuthorizer | undefined) {
    this.cluster = name
    this.catalog = new Catalog(base)
    this.authorizer = new RbacAuthorizer(template)
    this.store = parts.store
    this.clock = parts.clock
    this.random = parts.random
    this.admission = parts.admission
  }

  /** Reads what the store knows; later changes come through `observe`. */
  load(): void {
    for (const entry of this.store.scan(resourcePrefix(this.cluster, crdGroup, crdResource)))
      this.#serve(parseStored(entry.bytes), entry.revision)
    for (const [resource, kind] of Object.entries(rbacKinds)) {
      for (const entry of this.store.scan(resourcePrefix(this.cluster, rbacGroup, resource)))
        this.authorizer.set(kind, parseStored(entry.bytes))
    }
  }

  observe(change: Change): void {
    const { group, resource, namespace, name } = parseKey(change.key)
    if (group === crdGroup && resource === crdResource) {
      if (change.type === 'deleted') this.#withdraw(parseStored(change.bytes))
      else this.#serve(parseStored(change.bytes), change.revision)
      return
    }
    const kind = group === rbacGroup ? rbacKinds[resource] : undefined
    if (kind === undefined) return
    if (change.type === 'deleted') this.authorizer.delete(kind, namespace, name)
    else this.authorizer.set(kind, parseStored(change.bytes))
  }

  isClosing(group: string, resource: string): boolean {
    return this.#closing.has(`${resource}.${group}`)
  }

  #serve(crd: JsonObject, revision: number): void {
    const spec = isObject(crd.spec) ? crd.spec : {}
    const name = text(metadataOf(crd).name)
    if (!isEstablished(crd)) return
    if (isBeingDeleted(crd)) this.#closing.add(name)
    const known = this.#served.get(name)
    if (known !== undefined && equalJson(known.spec, spec)) return
    // Objects written since the last change of the schemas are what they should be; older ones are looked at when read.
    const since = known !== undefined && equalJson(known.spec.versions, spec.versions) ? known.since : revision
    this.#served.set(name, { spec, since })
    this.catalog.set(toResourceType(crd), since)
  }

  #withdraw(crd: JsonObject): void {
    const spec = isObject(crd.spec) ? crd.spec : {}
    const names = isObject(spec.names) ? spec.names : {}
    const name = text(metadataOf(crd).name)
    this.#served.delete(name)
    this.#closing.delete(name)
    this.catalog.delete(text(spec.group), text(names.plural))
  }
}

export function isEstablished(crd: JsonObject): boolean {
  const status = isObject(crd.status) ? crd.status : {}
  const conditions = isArray(status.conditions) ? status.conditions : []
  return conditions.some((condition) => isObject(condition) && condition.type === 'Established' && condition.status === 'True')
}
