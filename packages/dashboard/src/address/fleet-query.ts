import type { Attention, SkewVerdict } from '@windlass/fleet/contract'
import { attentions, skewVerdicts } from '../words/states.ts'

export const sides = ['control-plane', 'data-plane', 'nodes'] as const
/** Whose versions are meant. */
export type Side = (typeof sides)[number]

export const columns = ['attention', 'name', 'control-plane', 'data-plane', 'nodes', 'progress', 'skew', 'member'] as const
/** What the table can be sorted by. */
export type Column = (typeof columns)[number]

/** Clusters by what runs on one of their sides: a version, a minor (`4.20`), or the empty text for those of which it is not known. */
export interface VersionFilter {
  readonly side: Side
  readonly version: string
}

/** What the table of the fleet shows, and how. The address keeps it. */
export interface FleetQuery {
  readonly search: string
  readonly attention: readonly Attention[]
  readonly members: readonly string[]
  readonly skew: readonly SkewVerdict[]
  readonly version: VersionFilter | undefined
  /** Only clusters whose member cannot be reached. */
  readonly lastKnownOnly: boolean
  readonly sort: Column
  readonly isDescending: boolean
}

export const wholeFleet: FleetQuery = {
  search: '',
  attention: [],
  members: [],
  skew: [],
  version: undefined,
  lastKnownOnly: false,
  sort: 'attention',
  isDescending: false,
}

/** Reads the part of an address after the question mark. What nobody could have meant is left out. */
export function readFleetQuery(search: string): FleetQuery {
  const given = new URLSearchParams(search)
  const sort = given.get('sort') ?? ''
  const column = columns.find((each) => each === sort.replace(/^-/, ''))
  return {
    search: given.get('q') ?? '',
    attention: attentions.filter((each) => given.getAll('state').includes(each)),
    members: given.getAll('member'),
    skew: skewVerdicts.filter((each) => given.getAll('skew').includes(each)),
    version: readVersion(given.get('version')),
    lastKnownOnly: given.get('current') === 'no',
    sort: column ?? wholeFleet.sort,
    isDescending: column !== undefined && sort.startsWith('-'),
  }
}

/** Writes it, beginning with a question mark; nothing where everything is as it is without being asked. */
export function writeFleetQuery(query: FleetQuery): string {
  const written = new URLSearchParams()
  if (query.search !== '') written.set('q', query.search)
  for (const each of query.attention) written.append('state', each)
  for (const each of query.members) written.append('member', each)
  for (const each of query.skew) written.append('skew', each)
  if (query.version !== undefined) written.set('version', `${query.version.side}:${query.version.version}`)
  if (query.lastKnownOnly) written.set('current', 'no')
  if (query.sort !== wholeFleet.sort || query.isDescending) written.set('sort', `${query.isDescending ? '-' : ''}${query.sort}`)
  const text = written.toString()
  return text === '' ? '' : `?${text}`
}

/** Whether anything is left out of the table. */
export function isFiltered(query: FleetQuery): boolean {
  return writeFleetQuery({ ...query, sort: wholeFleet.sort, isDescending: false }) !== ''
}

function readVersion(text: string | null): VersionFilter | undefined {
  const colon = text?.indexOf(':') ?? -1
  const side = sides.find((each) => each === text?.slice(0, colon))
  return text === null || side === undefined ? undefined : { side, version: text.slice(colon + 1) }
}
