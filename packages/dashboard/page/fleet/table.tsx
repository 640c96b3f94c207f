import type { ClusterRow } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import { clusterPath, type Column, isFiltered, partsOf } from '../../src/address/index.ts'
import { countOf, plural } from '../../src/words/index.ts'
import { navigate } from '../address.ts'
import { now } from '../clock.ts'
import { Grid, type GridColumn } from '../parts/grid.tsx'
import { Empty } from '../parts/panel.tsx'
import { Search } from '../parts/search.tsx'
import { changedAt, type Fleet } from '../server/fleet.ts'
import { arrangement, outOfPlace, settle } from './arrangement.ts'
import { Filters } from './filters.tsx'
import { NoClusters } from './members.tsx'
import { choose, query, type } from './query.ts'
import { cellsOf } from './row.tsx'

const columns: readonly GridColumn<Column | 'summary'>[] = [
  { id: 'attention', title: 'State', class: 'c-state', isSortable: true },
  { id: 'name', title: 'Cluster', class: 'c-name', isSortable: true },
  { id: 'control-plane', title: 'Control plane', class: 'c-version', isSortable: true },
  { id: 'data-plane', title: 'Data plane', class: 'c-version c-data', isSortable: true },
  { id: 'nodes', title: 'Nodes', class: 'c-nodes', isSortable: true },
  { id: 'progress', title: 'Progress', class: 'c-progress', isSortable: true },
  { id: 'skew', title: 'Skew', class: 'c-skew', isSortable: true },
  { id: 'summary', title: 'What it says', class: 'c-summary', isSortable: false },
]

/** For so long a change can be seen. */
const fresh = 2500

/** Every cluster that was asked for. */
export function ClusterTable({ fleet }: { readonly fleet: Fleet }): JSX.Element {
  const asked = query.value
  const rows = arrangement.value
  return (
    <section class="clusters" aria-labelledby="clusters-title">
      <div class="toolbar">
        <h2 id="clusters-title">Clusters</h2>
        <span class="dim" role="status">
          {rows.length === fleet.rows.size ? countOf(rows.length) : `${countOf(rows.length)} of ${countOf(fleet.rows.size)}`}
        </span>
        <Search label="Search clusters" value={asked.search} change={type} />
        <Filters />
        {outOfPlace.value > 0 ? (
          <button type="button" class="button small" onClick={settle}>
            {plural(outOfPlace.value, 'change')} out of order · sort now
          </button>
        ) : null}
      </div>
      {rows.length === 0 ? (
        <NoRows fleet={fleet} />
      ) : (
        <Grid
          label="Clusters"
          columns={columns}
          rows={rows}
          rowHeight={44}
          keyOf={(row) => row.id}
          cells={(row) => cellsOf(fleet.rows.get(row.id) ?? row, now.value)}
          rowClass={(row) => classOf(row, fleet)}
          open={(row) => navigate(clusterPath(partsOf(row)))}
          sort={{ column: asked.sort, isDescending: asked.isDescending, by: sortBy }}
        />
      )}
    </section>
  )
}

/** A second click turns the order around. */
function sortBy(column: Column | 'summary'): void {
  if (column === 'summary') return
  const { sort, isDescending } = query.value
  choose({ sort: column, isDescending: sort === column && !isDescending })
}

function classOf({ id }: ClusterRow, { rows }: Fleet): string {
  const row = rows.get(id)
  if (row === undefined) return 'gone'
  const changed = changedAt.get(id)
  const isFresh = changed !== undefined && now.value - changed < fresh
  return `${row.isCurrent ? '' : 'last-known'} ${isFresh ? 'fresh' : ''}`
}

function NoRows({ fleet }: { readonly fleet: Fleet }): JSX.Element {
  if (isFiltered(query.value)) {
    return (
      <Empty title="No cluster is like that">
        <button
          type="button"
          class="button"
          onClick={() => choose({ search: '', attention: [], members: [], skew: [], version: undefined, lastKnownOnly: false })}
        >
          Show all {countOf(fleet.rows.size)}
        </button>
      </Empty>
    )
  }
  return <NoClusters members={fleet.members} />
}
