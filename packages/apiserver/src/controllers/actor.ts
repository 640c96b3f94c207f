import { ApiError } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
import type { Served } from '../registry/catalog.ts'
import { create } from '../registry/create.ts'
import type { DeleteOptions } from '../registry/options.ts'
import { removeIn } from '../registry/remove.ts'
import { fromStored, keyFor } from '../registry/stored.ts'
import { replace } from '../registry/update.ts'
import type { Scope, WriteRequest } from '../registry/write-request.ts'

/**
 * Writes of the server's own controllers: the same path and the same rules as everybody's, under a name of their own.
 */
export class Actor {
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  async create(scope: Scope, served: Served, namespace: string, object: JsonObject): Promise<void> {
    try {
      await create(this.#request(scope, served, namespace, ''), object)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status.reason !== 'AlreadyExists') throw error
    }
  }

  /** Reads, changes and writes in one step; nothing happens when the object is gone or `change` gives back what it got. */
  async change(
    scope: Scope,
    served: Served,
    at: { readonly namespace: string; readonly name: string; readonly subresource?: string },
    change: (object: JsonObject) => JsonObject,
  ): Promise<void> {
    const request = this.#request(scope, served, at.namespace, at.subresource ?? '')
    await scope.store.write((transaction) => {
      const entry = transaction.get(keyFor(scope.cluster, served.type, at.namespace, at.name))
      if (entry === undefined) return
      const old = fromStored(served, entry)
      const next = change(old)
      if (next !== old) replace(transaction, request, entry, old, next)
    })
  }

  /** Deletes an object if it still is the one that is meant. */
  async remove(
    scope: Scope,
    served: Served,
    at: { readonly namespace: string; readonly name: string },
    options: Partial<DeleteOptions> = {},
  ): Promise<void> {
    const request = this.#request(scope, served, at.namespace, '')
    const complete = {
      dryRun: false,
      gracePeriodSeconds: undefined,
      policy: undefined,
      uid: undefined,
      resourceVersion: undefined,
      ...options,
    }
    await scope.store.write((transaction) => {
      const entry = transaction.get(keyFor(scope.cluster, served.type, at.namespace, at.name))
      if (entry !== undefined) removeIn(transaction, request, entry, complete)
    })
  }

  #request(scope: Scope, served: Served, namespace: string, subresource: string): WriteRequest {
    return {
      scope,
      served,
      namespace,
      subresource,
      options: { dryRun: false, fieldManager: this.#name, fieldValidation: 'Ignore', force: false },
      user: { name: `system:serviceaccount:kube-system:${this.#name}`, uid: '', groups: ['system:masters'], extra: {} },
      authorizeCreate: () => {},
      warn: () => {},
    }
  }
}
