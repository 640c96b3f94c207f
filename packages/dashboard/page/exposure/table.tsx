import type { ClusterExposure, ExposureView, SideExposure } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import { clusterPath, partsOf, partsOfId } from '../../src/address/index.ts'
import { exposureCsv, exposureJson } from '../../src/exposure/index.ts'
import { countOf, exposureTone } from '../../src/words/index.ts'
import { navigate } from '../address.ts'
import { NoClusters } from '../fleet/members.tsx'
import { Grid, type GridColumn } from '../parts/grid.tsx'
import { Empty } from '../parts/panel.tsx'
import { Search } from '../parts/search.tsx'
import { State } from '../parts/sign.tsx'
import { fleet } from '../server/fleet.ts'
import { choose, query } from './answer.ts'
import { download } from './download.ts'

const columns: readonly GridColumn<string>[] = [
  { id: 'state', title: 'Exposure', class: 'c-state', isSortable: false },
  { id: 'name', title: 'Cluster', class: 'c-name', isSortable: false },
  { id: 'control-plane', title: 'Control plane', class: 'c-evidence', isSortable: false },
  { id: 'data-plane', title: 'Data plane', class: 'c-evidence c-data', isSortable: false },
]

/** Every cluster with what the answer rests on, side by side. */
export function ExposureTable({ view }: { readonly view: ExposureView }): JSX.Element {
  const { states, search } = query.value
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const shown = view.clusters.filter(
    ({ id, state, controlPlane, dataPlane }) =>
      (states.length === 0 || states.includes(state)) &&
      words.every((word) => `${id} ${state} ${controlPlane.evidence} ${dataPlane.evidence}`.toLowerCase().includes(word)),
  )
  const name = `exposure-${view.fixedIn.join('-')}`
  return (
    <section class="exposed" aria-labelledby="exposed-title">
      <div class="toolbar">
        <h2 id="exposed-title">Clusters</h2>
        <span class="dim" role="status">
          {shown.length === view.clusters.length ? countOf(shown.length) : `${countOf(shown.length)} of ${countOf(view.clusters.length)}`}
        </span>
        <Search label="Search clusters and evidence" value={search} change={(text) => choose({ search: text }, search === '')} />
        <div class="toolbar-end">
          <button
            type="button"
            class="button small"
            disabled={shown.length === 0}
            onClick={() => download(`${name}.csv`, 'text/csv', exposureCsv(shown))}
          >
            CSV
          </button>
          <button
            type="button"
            class="button small"
            disabled={shown.length === 0}
            onClick={() => download(`${name}.json`, 'application/json', exposureJson(view, shown))}
          >
            JSON
          </button>
        </div>
      </div>
      {view.clusters.length === 0 ? (
        <NoClusters members={fleet.value?.members ?? []} />
      ) : shown.length === 0 ? (
        <Empty title="No cluster is like that">
          <button type="button" class="button" onClick={() => choose({ states: [], search: '' })}>
            Show all {countOf(view.clusters.length)}
          </button>
        </Empty>
      ) : (
        <Grid
          label="Clusters by exposure"
          columns={columns}
          rows={shown}
          rowHeight={52}
          keyOf={({ id }) => id}
          cells={cellsOf}
          rowClass={({ isCurrent }) => (isCurrent ? '' : 'last-known')}
          open={({ id }) => navigate(pathOf(id))}
        />
      )}
    </section>
  )
}

/** The row knows its parts; an id alone does not tell where a member's name ends. */
function pathOf(id: string): string {
  const row = fleet.peek()?.rows.get(id)
  return clusterPath(row === undefined ? partsOfId(id) : partsOf(row))
}

function cellsOf(row: ClusterExposure): readonly JSX.Element[] {
  const parts = partsOfId(row.id)
  return [
    <State key="state" tone={exposureTone(row.state)}>
      {row.state}
    </State>,
    <div key="name" class="name">
      <a href={pathOf(row.id)} tabindex={-1} class="clip" title={row.id}>
        {parts.at(-1)}
      </a>
      <span class="dim clip">
        {parts.length === 1 ? 'classic' : parts.slice(0, -1).join(' / ')}
        {row.isCurrent ? '' : ' · as last known'}
      </span>
    </div>,
    <Evidence key="control-plane" side={row.controlPlane} />,
    <Evidence key="data-plane" side={row.dataPlane} />,
  ]
}

function Evidence({ side }: { readonly side: SideExposure }): JSX.Element {
  return (
    <div class="evidence">
      <State tone={exposureTone(side.state)}>{side.state}</State>
      <span class="dim clip" title={side.evidence}>
        {side.evidence}
      </span>
    </div>
  )
}
