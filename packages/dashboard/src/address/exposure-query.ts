import type { ExposureState } from '@windlass/fleet/contract'
import { exposureStates } from '../words/states.ts'

/** What the page of exposure asks, and what of the answer it shows. */
export interface ExposureQuery {
  /** As somebody wrote them; whether they are versions is found out elsewhere. */
  readonly fixedIn: readonly string[]
  readonly states: readonly ExposureState[]
  readonly search: string
}

export function readExposureQuery(search: string): ExposureQuery {
  const given = new URLSearchParams(search)
  return {
    fixedIn: (given.get('fixed-in') ?? '').split(',').filter((each) => each !== ''),
    states: exposureStates.filter((each) => given.getAll('state').includes(each)),
    search: given.get('q') ?? '',
  }
}

export function writeExposureQuery({ fixedIn, states, search }: ExposureQuery): string {
  const parts = [
    ...(fixedIn.length === 0 ? [] : [`fixed-in=${fixedIn.map(encodeURIComponent).join(',')}`]),
    ...states.map((state) => `state=${state}`),
    ...(search === '' ? [] : [`q=${encodeURIComponent(search)}`]),
  ]
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}
