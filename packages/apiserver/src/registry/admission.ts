import type { JsonObject } from '../json.ts'
import type { Served } from './catalog.ts'

/** A write on its way in, as admission sees it. */
export interface AdmissionRequest {
  readonly cluster: string
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly served: Served
  readonly namespace: string
  readonly name: string
  readonly subresource: string
  /** Absent on DELETE. */
  readonly object?: JsonObject
  /** Absent on CREATE. */
  readonly old?: JsonObject
  readonly user: AdmissionUser
  readonly dryRun: boolean
  readonly warn: (text: string) => void
}

export interface AdmissionUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** One link of the chain. Both parts throw an ApiError to refuse; `mutate` returns the object it was given when it changes nothing. */
export interface AdmissionPlugin {
  readonly name: string
  readonly mutate?: (request: AdmissionRequest & { readonly object: JsonObject }) => JsonObject
  readonly validate?: (request: AdmissionRequest) => void
}

/** All mutators in order, then, once the object is complete and valid, all validators. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[]

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins
  }

  mutate(request: AdmissionRequest & { readonly object: JsonObject }): JsonObject {
    let { object } = request
    for (const plugin of this.#plugins) object = plugin.mutate?.({ ...request, object }) ?? object
    return object
  }

  validate(request: AdmissionRequest): void {
    for (const plugin of this.#plugins) plugin.validate?.(request)
  }
}
