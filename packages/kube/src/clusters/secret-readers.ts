const nobody: ReadonlySet<string> = new Set()

/** Which clusters have their kubeconfig in which Secret. All names are `namespace/name`. */
export class SecretReaders {
  readonly #secretOf = new Map<string, string>()
  readonly #readersOf = new Map<string, Set<string>>()

  readersOf(secret: string): ReadonlySet<string> {
    return this.#readersOf.get(secret) ?? nobody
  }

  /** The Secret of a cluster from now on; undefined for none. */
  set(cluster: string, secret: string | undefined): void {
    const before = this.#secretOf.get(cluster)
    if (before === secret) return
    if (before !== undefined) {
      const readers = this.#readersOf.get(before)
      readers?.delete(cluster)
      if (readers?.size === 0) this.#readersOf.delete(before)
      this.#secretOf.delete(cluster)
    }
    if (secret === undefined) return
    this.#secretOf.set(cluster, secret)
    const readers = this.#readersOf.get(secret)
    if (readers === undefined) this.#readersOf.set(secret, new Set([cluster]))
    else readers.add(cluster)
  }
}
