import type { ClusterRow, SideView } from '@windlass/fleet/contract'
import type { ComponentChildren, JSX } from 'preact'
import { clusterPath, partsOf } from '../../src/address/index.ts'
import { attentionTone, countOf, roughly, skewTone, skewWord } from '../../src/words/index.ts'
import { State } from '../parts/sign.tsx'

/** The cells of a row, in the order of the columns. */
export function cellsOf(row: ClusterRow, now: number): readonly ComponentChildren[] {
  return [
    <State key="state" tone={attentionTone(row.attention)}>
      {row.attention}
    </State>,
    <Name key="name" row={row} />,
    <VersionMove key="control-plane" side={row.controlPlane} />,
    <VersionMove key="data-plane" side={row.dataPlane} />,
    <Nodes key="nodes" row={row} />,
    <Progress key="progress" row={row} now={now} />,
    row.skew === 'Allowed' ? (
      <span class="dim">Allowed</span>
    ) : (
      <State key="skew" tone={skewTone(row.skew)}>
        {skewWord(row.skew)}
      </State>
    ),
    <span key="summary" class="clip" title={row.summary}>
      {row.isCurrent ? '' : 'As last known. '}
      {row.summary ?? ''}
    </span>,
  ]
}

/** A link for the mouse; keys open the row that is chosen. */
function Name({ row }: { readonly row: ClusterRow }): JSX.Element {
  const place = row.namespace === undefined ? 'classic' : `${row.member} / ${row.namespace}`
  return (
    <div class="name">
      <a href={clusterPath(partsOf(row))} tabindex={-1} class="clip" title={row.name}>
        {row.name}
      </a>
      <span class="dim clip" title={place}>
        {place}
      </span>
    </div>
  )
}

/** What runs, and what is to run if that is something else. */
export function VersionMove({ side }: { readonly side: SideView }): JSX.Element {
  const { version, desired } = side
  const isMoving = desired !== undefined && desired !== version
  return (
    <span class="move">
      {version === undefined ? <span class="dim">{isMoving ? 'none' : 'unknown'}</span> : <span>{version}</span>}
      {isMoving ? (
        <>
          <span class="move-arrow">
            <span aria-hidden="true">→</span>
            <span class="unseen">to</span>
          </span>
          <span class={side.state === 'Stalled' ? 'tone-bad' : 'tone-busy'}>{desired}</span>
        </>
      ) : null}
    </span>
  )
}

function Nodes({ row }: { readonly row: ClusterRow }): JSX.Element {
  const { ready, wanted, unknownBecause } = row.nodes
  if (unknownBecause !== undefined) return <span class="dim">unknown</span>
  if (wanted === 0 && ready === 0) return <span class="dim">none</span>
  return (
    <span class={ready < wanted ? 'tone-warn' : undefined}>
      {ready === wanted ? countOf(wanted) : `${countOf(ready)} / ${countOf(wanted)}`}
      {ready < wanted ? <span class="unseen"> ready</span> : null}
    </span>
  )
}

function Progress({ row, now }: { readonly row: ClusterRow; readonly now: number }): JSX.Element | null {
  const { progress, attention } = row
  if (progress === undefined || progress.total === 0 || (attention === 'Steady' && progress.done === progress.total)) return null
  const share = progress.done / progress.total
  return (
    <div class="progress-cell">
      <Meter share={share} tone={attentionTone(attention)} label={`${progress.done} of ${progress.total} parts`} />
      <span class="dim">{row.estimatedEnd === undefined ? `${progress.done}/${progress.total}` : roughly(row.estimatedEnd, now)}</span>
    </div>
  )
}

export function Meter({ share, tone, label }: { readonly share: number; readonly tone: string; readonly label: string }): JSX.Element {
  return (
    <span class={`meter tone-${tone}`} role="img" aria-label={label} title={label}>
      <span style={{ width: `${Math.round(share * 100)}%` }} />
    </span>
  )
}
