import type { Entry } from '@windlass/apiserver'
import type { KubernetesObject } from '@windlass/api'

/** One object as it was stored at one revision. Its bytes are read when somebody first looks, and only once. */
export class StoredObject {
  readonly key: string
  readonly revision: number
  readonly bytes: Buffer
  #object: KubernetesObject | undefined

  constructor({ key, revision, bytes }: Entry) {
    this.key = key
    this.revision = revision
    this.bytes = bytes
  }

  get object(): KubernetesObject {
    this.#object ??= JSON.parse(this.bytes.toString('utf8')) as KubernetesObject
    return this.#object
  }
}
