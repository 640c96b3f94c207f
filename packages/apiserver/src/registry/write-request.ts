import type { Clock, Random } from '@windlass/core'
import type { OwnershipContext } from '../apply/index.ts'
import type { Store } from '../storage/store.ts'
import type { AdmissionChain, AdmissionRequest, AdmissionUser } from './admission.ts'
import { groupVersion, type Catalog, type Served } from './catalog.ts'
import type { WriteOptions } from './options.ts'
import type { WriteContext } from './resource.ts'

/** One logical cluster's part of the server, as the registry needs it. */
export interface Scope {
  readonly cluster: string
  readonly catalog: Catalog
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly admission: AdmissionChain
}

/** A write that has been read, authenticated and authorized, but not looked at yet. */
export interface WriteRequest {
  readonly scope: Scope
  readonly served: Served
  readonly namespace: string
  readonly subresource: string
  readonly options: WriteOptions
  readonly user: AdmissionUser
  /** Throws when the user may not create: some writes create what they do not find. */
  readonly authorizeCreate: (name: string) => void
  readonly warn: (text: string) => void
}

/** The answer to a write. */
export interface Written {
  readonly status: 200 | 201
  readonly bytes: Buffer
}

export function contextOf(request: WriteRequest): WriteContext {
  const { scope, subresource, user } = request
  return { now: scope.clock.now(), random: scope.random, subresource, user: user.name }
}

export function admissionOf(
  request: WriteRequest,
  operation: AdmissionRequest['operation'],
  name: string,
): Omit<AdmissionRequest, 'object' | 'old'> {
  const { scope, served, namespace, subresource, user, options, warn } = request
  return { cluster: scope.cluster, operation, served, namespace, name, subresource, user, dryRun: options.dryRun, warn }
}

/** Which fields a write through a URL cannot set, and therefore does not own. Constant, for what follows from them is remembered. */
const resetFields = { status: [['spec']], objectWithStatus: [['status']], object: [] } as const

export function ownershipOf(request: WriteRequest): OwnershipContext {
  const { scope, served, options, subresource } = request
  const { type, version } = served
  return {
    schemaOf: (apiVersion) => type.versions.find((each) => groupVersion(type.group, each.name) === apiVersion)?.schema,
    apiVersion: served.apiVersion,
    manager: options.fieldManager,
    subresource,
    now: scope.clock.now(),
    resetFields: subresource === 'status' ? resetFields.status : version.hasStatus ? resetFields.objectWithStatus : resetFields.object,
    isCustom: type.isCustom,
  }
}
