import type { ClusterView } from '@windlass/fleet/contract'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Extent, fitting, laneOf, lastUpdate, moved, placeOf, type Stretch, ticksOf, zoomed } from '../../src/timeline/index.ts'
import { minorOf } from '../../src/versions/index.ts'
import { momentOf, spanOf } from '../../src/words/index.ts'
import { now } from '../clock.ts'
import { Empty, Panel } from '../parts/panel.tsx'
import { tipped } from '../parts/tip.tsx'

const laneHeight = 40
const laneGap = 14
const top = 26

type View = 'all' | 'last' | Extent

/** Both histories side by side on one time line: what the management side ran, and what the cluster itself ran. */
export function Histories({ view }: { readonly view: ClusterView }): JSX.Element {
  const isUnderWay = [view.controlPlaneHistory, view.dataPlaneHistory].some(([newest]) => newest?.state === 'Partial')
  // At rest the picture moves on once in ten seconds: a line that creeps with every second only disturbs.
  const step = isUnderWay ? 1000 : 10_000
  const instant = Math.ceil(now.value / step) * step
  const lanes = [
    { title: 'Control plane', stretches: laneOf(view.controlPlaneHistory, instant) },
    { title: view.row.kind === 'Classic' ? 'Cluster' : 'Data plane', stretches: laneOf(view.dataPlaneHistory, instant) },
  ].filter(({ title, stretches }) => stretches.length > 0 || (title === 'Control plane' && view.row.kind === 'Hosted'))
  const all = lanes.map(({ stretches }) => stretches)
  // Until somebody chooses: while something is under way, that is what one came to see.
  const chosen = useSignal<View | undefined>(undefined)
  const shown = chosen.value ?? (isUnderWay ? 'last' : 'all')
  const extent = shown === 'all' ? fitting(all, instant) : shown === 'last' ? lastUpdate(all, instant) : shown
  const set = (next: View): void => {
    chosen.value = next
  }
  if (all.every((stretches) => stretches.length === 0)) {
    return (
      <Panel title="Version history">
        <Empty title="No history yet">The first version appears when its installation begins.</Empty>
      </Panel>
    )
  }
  const press = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, View>> = {
      ArrowLeft: moved(extent, -0.2),
      ArrowRight: moved(extent, 0.2),
      '+': zoomed(extent, 0.5),
      '-': zoomed(extent, 2),
      '0': 'all',
    }
    const next = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    set(next)
  }
  return (
    <Panel
      title="Version history"
      class="histories"
      aside={
        <div class="button-row" role="group" aria-label="Part of time that is shown">
          <button type="button" class="button small" aria-pressed={shown === 'all'} onClick={() => set('all')}>
            All
          </button>
          <button type="button" class="button small" aria-pressed={shown === 'last'} onClick={() => set('last')}>
            Last update
          </button>
          <button type="button" class="button small" aria-label="Earlier" onClick={() => set(moved(extent, -0.3))}>
            ←
          </button>
          <button type="button" class="button small" aria-label="Later" onClick={() => set(moved(extent, 0.3))}>
            →
          </button>
          <button type="button" class="button small" aria-label="Zoom in" onClick={() => set(zoomed(extent, 0.5))}>
            +
          </button>
          <button type="button" class="button small" aria-label="Zoom out" onClick={() => set(zoomed(extent, 2))}>
            −
          </button>
        </div>
      }
    >
      <div onKeyDown={press}>
        <Picture lanes={lanes} extent={extent} now={instant} />
      </div>
      <ul class="legend timeline-legend">
        <li>
          <span class="swatch legend-runs" aria-hidden="true" />
          runs
        </li>
        <li>
          <span class="swatch legend-rollout" aria-hidden="true" />
          updated to
        </li>
        <li>
          <span class="swatch legend-under-way" aria-hidden="true" />
          under way
        </li>
        <li>
          <span class="swatch legend-given-up" aria-hidden="true" />
          not completed
        </li>
      </ul>
    </Panel>
  )
}

interface Lane {
  readonly title: string
  readonly stretches: readonly Stretch[]
}

function Picture({
  lanes,
  extent,
  now: instant,
}: {
  readonly lanes: readonly Lane[]
  readonly extent: Extent
  readonly now: number
}): JSX.Element {
  const [element, width] = useWidth()
  const height = top + lanes.length * (laneHeight + laneGap)
  const x = (at: number): number => placeOf(at, extent) * width
  const minors = [...new Set(lanes.flatMap(({ stretches }) => stretches.map(({ version }) => minorOf(version))))]
  return (
    <div class="timeline" ref={element}>
      <div class="lane-titles">
        {lanes.map(({ title }) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      <svg width="100%" height={height} role="group" aria-label="Version history as a time line">
        <defs>
          <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="3" height="7" class="hatch-line" />
          </pattern>
          <pattern id="stripes" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="4.5" height="9" class="stripe-line" />
          </pattern>
        </defs>
        {ticksOf(extent, Math.max(2, Math.floor(width / 110))).map((tick) => (
          <g key={tick.at} class="tick" transform={`translate(${tick.x * width} 0)`} aria-hidden="true">
            <line y1={top - 6} y2={height} />
            {tick.x * width > 24 && tick.x * width < width - 24 ? <text y={12}>{tick.text}</text> : null}
          </g>
        ))}
        {lanes.map(({ title, stretches }, index) => (
          <g key={title} transform={`translate(0 ${top + index * (laneHeight + laneGap)})`} role="list" aria-label={title}>
            {stretches
              .filter(({ from, to }) => to >= extent.from && from <= extent.to)
              // Updates are short: they are drawn over what ran before and after them.
              .toSorted((a, b) => Number(b.kind === 'Runs') - Number(a.kind === 'Runs') || a.from - b.from)
              .map((stretch) => {
                const [left, right] = [Math.max(-4, x(stretch.from)), Math.min(width + 4, x(stretch.to))]
                return (
                  <StretchMark
                    key={`${stretch.kind}${stretch.from}`}
                    stretch={stretch}
                    left={left}
                    width={Math.max(stretch.kind === 'Runs' ? 0 : 4, right - left)}
                    isOdd={minors.indexOf(minorOf(stretch.version)) % 2 === 1}
                  />
                )
              })}
          </g>
        ))}
        {instant >= extent.from && instant <= extent.to ? (
          <line class="now-line" x1={x(instant)} x2={x(instant)} y1={top - 6} y2={height} />
        ) : null}
      </svg>
    </div>
  )
}

const says = { Rollout: 'was updated to', Runs: 'ran', UnderWay: 'is being updated to', GivenUp: 'was not completed:' } as const

function StretchMark(props: {
  readonly stretch: Stretch
  readonly left: number
  readonly width: number
  readonly isOdd: boolean
}): JSX.Element {
  const { stretch, left, width, isOdd } = props
  const { kind, version, from, to, entry } = stretch
  const head =
    kind === 'Runs'
      ? `${version} runs`
      : kind === 'GivenUp'
        ? `${version} was not completed`
        : `Update to ${version}${kind === 'UnderWay' ? ' under way' : ''}`
  const end = kind === 'UnderWay' ? 'now' : momentOf(to)
  const span = spanOf(new Date(from).toISOString(), new Date(to).toISOString(), to)
  const lines = [head, `${momentOf(from)} – ${end} (${span})`, ...(entry.image === undefined ? [] : [entry.image])]
  return (
    <g
      class={`stretch stretch-${kind.toLowerCase()} ${isOdd ? 'odd' : ''}`}
      role="listitem"
      tabindex={0}
      aria-label={`${says[kind]} ${version}, ${momentOf(from)} to ${end}, ${span}`}
      {...tipped(...lines)}
    >
      <rect class="stretch-field" x={left} y={0} width={width} height={laneHeight} rx={3} />
      {kind === 'GivenUp' || kind === 'UnderWay' ? (
        <rect
          class="stretch-pattern"
          x={left}
          y={0}
          width={width}
          height={laneHeight}
          rx={3}
          fill={kind === 'GivenUp' ? 'url(#hatch)' : 'url(#stripes)'}
        />
      ) : null}
      {width > version.length * 7.5 + 16 ? (
        <text x={left + 9} y={laneHeight / 2} dominant-baseline="central" aria-hidden="true">
          {version}
        </text>
      ) : null}
    </g>
  )
}

/** An element and how wide it is, followed while it changes. */
function useWidth(): [{ current: HTMLDivElement | null }, number] {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(1000)
  useEffect(() => {
    const svg = element.current?.querySelector('svg')
    if (svg === null || svg === undefined) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(200, Math.round(entry.contentRect.width)))
    })
    observer.observe(svg)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
