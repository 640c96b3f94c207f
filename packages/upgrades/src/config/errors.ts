/** The ConfigMap that holds the configuration, and its only key. */
export const configMapName = 'managed-upgrade-operator-config'
export const configMapKey = 'config.yaml'

/** Thrown when the configuration cannot be used. It fails the reconcile that needed it, which is tried again; it never ends the process. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** The key that is wrong; undefined when the document as a whole is. */
  readonly key: string | undefined

  constructor(key: string | undefined, problem: string) {
    super(`ConfigMap ${configMapName}, ${configMapKey}: ${key === undefined ? '' : `key ${key}: `}${problem}`)
    this.key = key
  }
}
