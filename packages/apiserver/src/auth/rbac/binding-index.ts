import type { User } from '../user.ts'
import type { Binding } from './objects.ts'

/** The bindings of one namespace, or the cluster-wide ones, found by whom they name. */
export class BindingIndex {
  readonly #byName = new Map<string, Binding>()
  readonly #byUser = new Map<string, Set<Binding>>()
  readonly #byGroup = new Map<string, Set<Binding>>()

  get size(): number {
    return this.#byName.size
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  set(binding: Binding): void {
    this.delete(binding.name)
    this.#byName.set(binding.name, binding)
    for (const subject of binding.subjects) {
      const index = subject.kind === 'User' ? this.#byUser : this.#byGroup
      const bindings = index.get(subject.name)
      if (bindings === undefined) index.set(subject.name, new Set([binding]))
      else bindings.add(binding)
    }
  }

  delete(name: string): void {
    const binding = this.#byName.get(name)
    if (binding === undefined) return
    this.#byName.delete(name)
    for (const subject of binding.subjects) {
      const index = subject.kind === 'User' ? this.#byUser : this.#byGroup
      const bindings = index.get(subject.name)
      bindings?.delete(binding)
      if (bindings?.size === 0) index.delete(subject.name)
    }
  }

  /** Calls `visit` for each binding that names the user or one of their groups, until it returns true. A binding may come twice. */
  some(user: User, visit: (binding: Binding) => boolean): boolean {
    for (const binding of this.#byUser.get(user.name) ?? []) if (visit(binding)) return true
    for (const group of user.groups) {
      for (const binding of this.#byGroup.get(group) ?? []) if (visit(binding)) return true
    }
    return false
  }
}
