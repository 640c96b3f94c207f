import type { ClusterView, EstimateView, NodeCount, SideView } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import { type ClusterParts, clusterPath } from '../../src/address/index.ts'
import { attentionTone, momentOf, plural, roughly, skewTone, spanOf } from '../../src/words/index.ts'
import { now } from '../clock.ts'
import { Meter, VersionMove } from '../fleet/row.tsx'
import { Badge } from '../parts/sign.tsx'
import { PageTitle } from '../parts/shell.tsx'
import { Actions } from './actions.tsx'

/** Who it is, how it is, what runs and what is to run. */
export function ClusterHeader({ view, parts }: { readonly view: ClusterView; readonly parts: ClusterParts }): JSX.Element {
  const { row } = view
  return (
    <header class="cluster-head">
      <nav aria-label="Breadcrumb">
        <ol class="crumbs">
          <li>
            <a href="/">Fleet</a>
          </li>
          {row.namespace === undefined ? null : (
            <li>
              <a href={`/?member=${encodeURIComponent(row.member)}`}>{row.member}</a>
            </li>
          )}
          {row.namespace === undefined ? null : <li>{row.namespace}</li>}
        </ol>
      </nav>
      <div class="title-row">
        <PageTitle tab={row.name}>{row.name}</PageTitle>
        <Badge tone={attentionTone(row.attention)}>{row.attention}</Badge>
        {row.skew === 'Violated' ? <Badge tone={skewTone(row.skew)}>Skew violated</Badge> : null}
        <div class="title-end">
          {view.upgrade === undefined ? null : (
            <a class="button" href={clusterPath(parts, 'upgrade')}>
              Managed upgrade
            </a>
          )}
          <Actions view={view} parts={parts} />
        </div>
      </div>
      <dl class="facts">
        <Side title="Control plane" side={row.controlPlane} />
        <Side title="Data plane" side={row.dataPlane} />
        <div>
          <dt>Nodes</dt>
          <dd class="fact">{nodesText(row.nodes)}</dd>
          <dd class="dim">
            {row.nodes.unknownBecause ??
              (row.nodes.versions.map(({ version, count }) => `${version || 'unknown'} × ${count}`).join(', ') || 'no versions')}
          </dd>
        </div>
        {row.progress === undefined ? null : (
          <div>
            <dt>Progress</dt>
            <dd class="fact">
              {row.progress.done} of {plural(row.progress.total, 'part')}
            </dd>
            <dd>
              <Meter
                share={row.progress.total === 0 ? 0 : row.progress.done / row.progress.total}
                tone={attentionTone(row.attention)}
                label={`${row.progress.done} of ${row.progress.total} parts are at the new version`}
              />
            </dd>
          </div>
        )}
        {view.estimate === undefined ? null : <Estimate estimate={view.estimate} />}
        <div>
          <dt>About</dt>
          <dd class="fact">{[row.kind, row.platform].filter((each) => each !== undefined).join(' · ')}</dd>
          <dd class="dim">
            {[view.channel, row.createdTime === undefined ? undefined : `since ${momentOf(row.createdTime)}`].filter(Boolean).join(' · ')}
          </dd>
        </div>
      </dl>
      <Identity view={view} />
    </header>
  )
}

/** What other tools know it by. */
function Identity({ view: { clusterId, labels } }: { readonly view: ClusterView }): JSX.Element | null {
  const named = Object.entries(labels)
  if (clusterId === undefined && named.length === 0) return null
  return (
    <dl class="identity">
      {clusterId === undefined ? null : (
        <div>
          <dt>Cluster ID</dt>
          <dd>
            <code>{clusterId}</code>
          </dd>
        </div>
      )}
      {named.length === 0 ? null : (
        <div>
          <dt>Labels</dt>
          {named.map(([key, value]) => (
            <dd key={key}>
              <code>{value === '' ? key : `${key}=${value}`}</code>
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}

function nodesText({ wanted, ready, unknownBecause }: NodeCount): string {
  if (unknownBecause !== undefined) return 'not known'
  return wanted === 0 ? 'none' : `${ready} of ${wanted}`
}

function Side({ title, side }: { readonly title: string; readonly side: SideView }): JSX.Element {
  const took = spanOf(side.startedTime, side.completionTime, now.value)
  const isMoving = side.state === 'Progressing' || side.state === 'Stalled'
  return (
    <div>
      <dt>{title}</dt>
      <dd class="fact">
        <VersionMove side={side} />
      </dd>
      <dd class="dim">
        {side.state}
        {took === undefined ? '' : isMoving ? ` for ${took}` : `, took ${took}`}
      </dd>
    </div>
  )
}

function Estimate({ estimate }: { readonly estimate: EstimateView }): JSX.Element {
  const { completion, earliest, latest, unknownBecause } = estimate
  return (
    <div>
      <dt>Done</dt>
      {unknownBecause === undefined ? (
        <>
          <dd class="fact">{roughly(completion, now.value)}</dd>
          <dd class="dim">
            {earliest !== undefined && latest !== undefined
              ? `between ${momentOf(earliest)?.slice(-5)} and ${momentOf(latest)?.slice(-5)}`
              : `at ${momentOf(completion)?.slice(-5)}`}
          </dd>
        </>
      ) : (
        <>
          <dd class="fact">not known</dd>
          <dd class="dim">{unknownBecause}</dd>
        </>
      )}
    </div>
  )
}
