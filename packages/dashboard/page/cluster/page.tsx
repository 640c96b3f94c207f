import type { JSX } from 'preact'
import { type ClusterParts, idOf } from '../../src/address/index.ts'
import { StaleNotice } from '../parts/live.tsx'
import { Empty, Loading, Notice } from '../parts/panel.tsx'
import { PageTitle } from '../parts/shell.tsx'
import { useCluster } from './use-cluster.ts'
import { Components } from './components.tsx'
import { Conditions } from './conditions.tsx'
import { Events } from './events.tsx'
import { ClusterHeader } from './header.tsx'
import { Histories } from './histories.tsx'
import { Insights } from './insights.tsx'
import { Pools } from './pools.tsx'
import { WhyPanel } from './why.tsx'

/** One cluster: how it is, why it waits, how it came here, and all its parts. */
export function ClusterPage({ parts }: { readonly parts: ClusterParts }): JSX.Element {
  const { view, problem } = useCluster(parts)
  if (problem !== undefined) return <NoCluster parts={parts} code={problem.code} message={problem.message} />
  if (view === undefined) {
    return (
      <div class="page">
        <PageTitle tab={parts.at(-1) ?? ''}>{parts.at(-1)}</PageTitle>
        <StaleNotice />
        <Loading what={`cluster ${idOf(parts)}`} />
      </div>
    )
  }
  return (
    <div class="page cluster">
      <ClusterHeader view={view} parts={parts} />
      <StaleNotice />
      {view.row.isCurrent ? null : (
        <Notice tone="bad" isAlert>
          <strong>{view.row.member} cannot be reached.</strong> Everything here is as it was last known.
        </Notice>
      )}
      <WhyPanel view={view} />
      <Histories view={view} />
      <Components view={view} />
      <div class="columns">
        <Pools pools={view.pools} nodes={view.row.nodes} />
        <Insights insights={view.insights} />
      </div>
      <div class="columns">
        <Conditions conditions={view.conditions} />
        <Events events={view.events} />
      </div>
    </div>
  )
}

/** A cluster that cannot be shown, and why. */
export function NoCluster(props: { readonly parts: ClusterParts; readonly code: number; readonly message: string }): JSX.Element {
  const isMissing = props.code === 404
  return (
    <div class="page">
      <PageTitle tab={isMissing ? 'Not found' : 'Not available'}>
        {isMissing ? 'There is no such cluster' : 'The cluster cannot be shown'}
      </PageTitle>
      <Empty title={props.message}>
        {isMissing ? <p>It may have been deleted, or it is called something else.</p> : null}
        <a class="button primary" href="/">
          To the fleet
        </a>
      </Empty>
    </div>
  )
}
