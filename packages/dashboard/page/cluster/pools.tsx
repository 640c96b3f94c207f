import type { NodeCount, PoolView } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import { plural, poolTone, skewTone, skewWord } from '../../src/words/index.ts'
import { Meter } from '../fleet/row.tsx'
import { Empty, Panel } from '../parts/panel.tsx'
import { State } from '../parts/sign.tsx'

/** Nodes, pool by pool: what runs, what may run, how far an upgrade is. */
export function Pools({ pools, nodes }: { readonly pools: readonly PoolView[]; readonly nodes: NodeCount }): JSX.Element {
  return (
    <Panel title="Node pools" aside={<span>{plural(pools.length, 'pool')}</span>}>
      {pools.length === 0 && nodes.unknownBecause !== undefined ? (
        <Empty title="Its nodes are not known">{nodes.unknownBecause}</Empty>
      ) : pools.length === 0 ? (
        <Empty title="It has no nodes">A NodePool for this cluster would bring some.</Empty>
      ) : (
        <ul class="pools">
          {pools.map((pool) => (
            <Pool key={pool.name} pool={pool} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Pool({ pool }: { readonly pool: PoolView }): JSX.Element {
  const { name, version, desired, state, upgradeType, wanted, ready, updated, skew, skewReason, allowed } = pool
  const isMoving = desired !== undefined && desired !== version
  const done = updated ?? ready
  return (
    <li class="pool">
      <div class="pool-head">
        <strong>{name}</strong>
        <State tone={poolTone(state)}>{state}</State>
      </div>
      <dl class="pool-facts">
        <div>
          <dt>Version</dt>
          <dd>
            {version ?? 'unknown'}
            {isMoving ? ` → ${desired}` : ''}
          </dd>
        </div>
        <div>
          <dt>May be</dt>
          <dd>{allowed === undefined ? 'not known' : `${allowed.from} to ${allowed.to}`}</dd>
        </div>
        <div>
          <dt>Skew</dt>
          <dd>
            <State tone={skewTone(skew)}>{skewWord(skew)}</State>
          </dd>
        </div>
        <div>
          <dt>Ready</dt>
          <dd>
            {ready} of {wanted}
          </dd>
        </div>
        {upgradeType === undefined ? null : (
          <div>
            <dt>Upgrade</dt>
            <dd>{upgradeType === 'InPlace' ? 'in place' : 'by replacement'}</dd>
          </div>
        )}
      </dl>
      {isMoving ? (
        <div class="pool-progress">
          <Meter share={wanted === 0 ? 0 : done / wanted} tone={poolTone(state)} label={`${done} of ${wanted} nodes are updated`} />
          <span class="dim">
            {done} of {plural(wanted, 'node')} updated
          </span>
        </div>
      ) : null}
      {skewReason === undefined ? null : <p class="dim">{skewReason}</p>}
      {pool.conditions
        .filter(({ isExpected }) => isExpected === false)
        .map(({ type, reason, message }) => (
          <p key={type} class="tone-bad">
            {type}: {message ?? reason}
          </p>
        ))}
    </li>
  )
}
