import { computed } from '@preact/signals'
import { type FleetQuery, readFleetQuery, writeFleetQuery } from '../../src/address/index.ts'
import { rewriteSearch, search } from '../address.ts'

/** What the table shows: read from the address, and changed by writing the address. */
export const query = computed(() => readFleetQuery(search.value))

/** A choice, which the back button takes back. */
export function choose(change: Partial<FleetQuery>): void {
  rewriteSearch(writeFleetQuery({ ...query.value, ...change }), { isStep: true })
}

/** A letter of a search. The first one is a step of its own, so that the back button leads to before the search. */
export function type(text: string): void {
  rewriteSearch(writeFleetQuery({ ...query.value, search: text }), { isStep: query.value.search === '' })
}

/** In, or out if it was in. */
export function toggled<T>(all: readonly T[], one: T): readonly T[] {
  return all.includes(one) ? all.filter((each) => each !== one) : [...all, one]
}
