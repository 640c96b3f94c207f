import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { plural } from '../../src/words/index.ts'
import { StaleNotice } from '../parts/live.tsx'
import { Empty, Loading } from '../parts/panel.tsx'
import { PageTitle } from '../parts/shell.tsx'
import { fleet, fleetProblem, followFleet } from '../server/fleet.ts'
import { keepArranged } from './arrangement.ts'
import { Figures } from './figures.tsx'
import { Members } from './members.tsx'
import { ClusterTable } from './table.tsx'
import { Versions } from './versions.tsx'

/** All clusters at once: what needs somebody first, then the versions, then every one of them. */
export function FleetPage(): JSX.Element {
  useEffect(() => {
    const stream = followFleet()
    const end = keepArranged()
    return () => {
      stream.close()
      end()
    }
  }, [])
  const known = fleet.value
  const problem = fleetProblem.value
  return (
    <div class="page">
      <div class="page-head">
        <PageTitle tab="Fleet">Fleet</PageTitle>
        {known === undefined ? null : (
          <p class="page-sub">
            {plural(known.figures.clusters, 'cluster')} · {plural(known.figures.nodes, 'node')} · {plural(known.members.length, 'member')}
          </p>
        )}
      </div>
      <StaleNotice />
      {known !== undefined ? (
        <>
          <Members members={known.members} />
          <Figures figures={known.figures} members={known.members} />
          <Versions figures={known.figures} />
          <ClusterTable fleet={known} />
        </>
      ) : problem !== undefined ? (
        <Empty title="The fleet cannot be shown">{problem.message}</Empty>
      ) : (
        <Loading what="the fleet" />
      )}
    </div>
  )
}
