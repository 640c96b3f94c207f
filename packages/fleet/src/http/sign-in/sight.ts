import { createHash } from 'node:crypto'
import type { ClusterId, ClusterRow } from '../../contract/index.ts'
import type { Rights } from './reviews.ts'

/** What somebody may see: the answers of the server are about everything that the server may, which can be more. */
export interface Sight {
  /** Nothing has to be left out. */
  readonly isEverything: boolean
  /** Another one for every other sight; empty for everything. What somebody was told under another one does not count. */
  readonly key: string
  seesMember(name: string): boolean
  seesRow(row: Pick<ClusterRow, 'member' | 'kind'>): boolean
  /** Also for clusters that are gone. */
  seesId(id: ClusterId): boolean
}

export const everything: Sight = { isEverything: true, key: '', seesMember: () => true, seesRow: () => true, seesId: () => true }

/** Members that are not among them are not seen at all. */
export function sightOf(rights: ReadonlyMap<string, Rights>): Sight {
  const sees = (member: string, kind: ClusterRow['kind']): boolean => {
    const there = rights.get(member)
    return there !== undefined && (kind === 'Hosted' ? there.hosted : there.classic)
  }
  const told = [...rights].map(([name, { hosted, classic }]) => `${name} ${hosted} ${classic}`).toSorted()
  return {
    isEverything: false,
    key: createHash('sha256').update(JSON.stringify(told)).digest('base64url').slice(0, 12),
    seesMember: (name) => sees(name, 'Hosted') || sees(name, 'Classic'),
    seesRow: ({ member, kind }) => sees(member, kind),
    seesId(id) {
      const [member = '', ...rest] = id.split('/')
      return sees(member, rest.length === 0 ? 'Classic' : 'Hosted')
    },
  }
}
