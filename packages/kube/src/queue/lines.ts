import type { Item } from './item.ts'
import { type Linked, LinkedList } from './linked-list.ts'

/** Somebody whose keys take turns with those of others. */
export class Tenant {
  readonly name: string
  /** How many of its keys are known; the tenant goes with the last one. */
  keys = 0
  running = 0
  /** One for each priority that it ever had keys in. */
  readonly places: Place[] = []

  constructor(name: string) {
    this.name = name
  }
}

/** The keys of one tenant that wait in one line. It is in the line's round while it has any and the tenant may run more. */
class Place implements Linked<Place> {
  readonly tenant: Tenant
  readonly line: Line
  readonly items = new LinkedList<Item>()
  list: LinkedList<Place> | undefined = undefined
  previous: Place | undefined = undefined
  next: Place | undefined = undefined

  constructor(tenant: Tenant, line: Line) {
    this.tenant = tenant
    this.line = line
  }
}

/** What waits with one priority. */
interface Line {
  readonly priority: number
  /** Whose turn it is, first to last. */
  readonly round: LinkedList<Place>
  size: number
}

/**
 * The keys that wait for a worker, in the order in which they get one: by priority, within a priority tenant after tenant, within
 * a tenant first come, first served. A tenant with as many running keys as it may have sits out until one is done.
 */
export class Lines {
  readonly #mostPerTenant: number
  /** Highest priority first. There are few, and they stay: gauges go to zero instead of vanishing. */
  readonly #lines: Line[] = []

  constructor(mostPerTenant: number) {
    this.#mostPerTenant = mostPerTenant
  }

  /** How many wait, by priority. */
  depths(): ReadonlyMap<number, number> {
    return new Map(this.#lines.map(({ priority, size }) => [priority, size]))
  }

  isFull(tenant: Tenant): boolean {
    return tenant.running >= this.#mostPerTenant
  }

  push(item: Item): void {
    const place = this.#placeOf(item.tenant, item.priority)
    place.items.push(item)
    place.line.size++
    if (place.list === undefined && !this.isFull(item.tenant)) place.line.round.push(place)
  }

  remove(item: Item): void {
    const place = this.#placeOf(item.tenant, item.priority)
    place.items.remove(item)
    place.line.size--
    if (place.items.first === undefined) place.line.round.remove(place)
  }

  /** Takes out whose turn it is; it counts as running until `done`. */
  shift(): Item | undefined {
    for (const line of this.#lines) {
      const place = line.round.first
      const item = place?.items.first
      if (place === undefined || item === undefined) continue
      place.items.remove(item)
      line.size--
      line.round.remove(place)
      const { tenant } = place
      tenant.running++
      if (this.isFull(tenant)) for (const each of tenant.places) each.line.round.remove(each)
      else if (place.items.first !== undefined) line.round.push(place)
      return item
    }
    return undefined
  }

  /** A key of the tenant no longer runs. */
  done(tenant: Tenant): void {
    const satOut = this.isFull(tenant)
    tenant.running--
    if (!satOut || this.isFull(tenant)) return
    for (const place of tenant.places) if (place.items.first !== undefined) place.line.round.push(place)
  }

  #placeOf(tenant: Tenant, priority: number): Place {
    for (const place of tenant.places) if (place.line.priority === priority) return place
    const place = new Place(tenant, this.#lineOf(priority))
    tenant.places.push(place)
    return place
  }

  #lineOf(priority: number): Line {
    const index = this.#lines.findIndex((line) => line.priority <= priority)
    const found = this.#lines[index]
    if (found?.priority === priority) return found
    const line: Line = { priority, round: new LinkedList(), size: 0 }
    this.#lines.splice(index < 0 ? this.#lines.length : index, 0, line)
    return line
  }
}
