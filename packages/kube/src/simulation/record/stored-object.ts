import type { Entry } from '@windlass/apiserver'
import type { KubernetesObject } from '@windlass/api'
import { normalised } from './normal-form.ts'

/** One object as it was stored at one revision. Its bytes are read when somebody first looks, and only once. */
export class StoredObject {
  readonly key: string
  readonly revision: number
  readonly bytes: Buffer
  #object: KubernetesObject | undefined
  #normal: string | undefined

  constructor({ key, revision, bytes }: Entry) {
    this.key = key
    this.revision = revision
    this.bytes = bytes
  }

  get object(): KubernetesObject {
    this.#object ??= JSON.parse(this.bytes.toString('utf8')) as KubernetesObject
    return this.#object
  }

  /** Without what depends on the way it came about. */
  get normal(): string {
    this.#normal ??= normalised(this.object)
    return this.#normal
  }
}
