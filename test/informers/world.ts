import type { Random } from '@windlass/core'
import type { Client } from '../support/client.ts'
import { namespace, type Tally } from './follower.ts'

interface Known {
  readonly revision: string
  readonly isRed: boolean
}

const collection = `/api/v1/namespaces/${namespace}/configmaps`

/** The objects as they should be: it makes every change itself, and counts what each kind of informer has to hear of it. */
export class World {
  readonly all: Tally = { added: 0, updated: 0, deleted: 0 }
  readonly red: Tally = { added: 0, updated: 0, deleted: 0 }
  readonly #objects = new Map<string, Known>()
  readonly #busy = new Set<string>()
  readonly #api: Client
  readonly #random: Random
  #made = 0

  constructor(api: Client, random: Random) {
    this.#api = api
    this.#random = random
  }

  /** Name and resourceVersion of what an informer of everything, or of the red ones, must hold. */
  state(which: 'all' | 'red'): ReadonlyMap<string, string> {
    return new Map([...this.#objects].filter(([, { isRed }]) => which === 'all' || isRed).map(([name, { revision }]) => [name, revision]))
  }

  /** One in ten is red. */
  async create(): Promise<void> {
    const number = this.#made++
    const name = `object-${String(number).padStart(6, '0')}`
    const color = number % 10 === 0 ? 'red' : 'blue'
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { color } }, data: { number: String(number) } }
    this.#settle(name, { revision: revisionOf(await this.#api.create(collection, object)), isRed: color === 'red' })
  }

  /** Creates, updates, paints or deletes one object that nobody else is changing. */
  async change(): Promise<void> {
    const dice = this.#random.below(20)
    if (dice < 3) return this.create()
    const name = this.#pick()
    const path = `${collection}/${name}`
    const known = this.#objects.get(name)
    this.#busy.add(name)
    try {
      if (dice < 6) {
        await this.#api.remove(path)
        this.#settle(name, undefined)
        return
      }
      const isRed = dice < 9 ? this.#random.below(2) === 0 : known?.isRed === true
      const change = { metadata: { labels: { color: isRed ? 'red' : 'blue' } }, data: { tick: this.#random.uuid() } }
      this.#settle(name, { revision: revisionOf(await this.#api.merge(path, change)), isRed })
    } finally {
      this.#busy.delete(name)
    }
  }

  #pick(): string {
    const names = [...this.#objects.keys()]
    for (;;) {
      const name = names[this.#random.below(names.length)]
      if (name !== undefined && !this.#busy.has(name)) return name
    }
  }

  #settle(name: string, next: Known | undefined): void {
    const known = this.#objects.get(name)
    count(this.all, known !== undefined, next !== undefined)
    count(this.red, known?.isRed === true, next?.isRed === true)
    if (next === undefined) this.#objects.delete(name)
    else this.#objects.set(name, next)
  }
}

function count(tally: Tally, wasIn: boolean, isIn: boolean): void {
  if (wasIn && isIn) tally.updated++
  else if (wasIn) tally.deleted++
  else if (isIn) tally.added++
}

function revisionOf(object: Record<string, unknown>): string {
  return (object.metadata as { resourceVersion: string }).resourceVersion
}
