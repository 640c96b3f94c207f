import type { ComponentView } from '@windlass/fleet/contract'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { type GraphLayout, layoutOf, usualMeasures } from '../../src/graph/index.ts'
import { componentTone } from '../../src/words/index.ts'
import { tipped } from '../parts/tip.tsx'

const { width, height } = usualMeasures

/** Who waits for whom, from left to right. Pointing at a component shows what it is tied to. */
export function Graph({ components }: { readonly components: readonly ComponentView[] }): JSX.Element {
  const shape = components.map(({ name, dependencies }) => `${name}:${dependencies.join()}`).join(';')
  // States change all the time; places only when there are other components.
  const layout = useMemo(() => layoutOf(components), [shape])
  const states = new Map(components.map((each) => [each.name, each]))
  const near = useSignal<string | undefined>(undefined)
  const tied = near.value === undefined ? undefined : neighboursOf(near.value, layout)
  return (
    <div class="graph scroll" tabindex={0} role="region" aria-label="Components as a graph; the list has the same in words">
      <svg
        viewBox={`-2 -2 ${layout.width + 4} ${layout.height + 4}`}
        width={layout.width + 4}
        height={layout.height + 4}
        role="group"
        aria-label="Components, each after those that it waits for"
      >
        <g aria-hidden="true">
          {layout.groups
            .filter(({ isFramed }) => isFramed)
            .map((group) => (
              <rect key={group.names.join()} class="group" x={group.x} y={group.y} width={group.width} height={group.height} rx={10} />
            ))}
          {layout.edges.map(({ from, to, path }) => {
            const isBlocking = states.get(from)?.state !== 'Done' && to.some((name) => states.get(name)?.state === 'Waiting')
            const isNear = near.value !== undefined && (from === near.value || to.includes(near.value))
            return <path key={`${from} ${to.join()}`} d={path} class={`edge ${isBlocking ? 'blocking' : ''} ${isNear ? 'near' : ''}`} />
          })}
        </g>
        <g role="list" aria-label="Components">
          {layout.nodes.map(({ name, x, y }) => {
            const component = states.get(name)
            return component === undefined ? null : (
              <Node
                key={name}
                component={component}
                x={x}
                y={y}
                isFaint={tied !== undefined && !tied.has(name)}
                point={(is) => (near.value = is ? name : undefined)}
              />
            )
          })}
        </g>
      </svg>
    </div>
  )
}

function Node(props: {
  readonly component: ComponentView
  readonly x: number
  readonly y: number
  readonly isFaint: boolean
  readonly point: (is: boolean) => void
}): JSX.Element {
  const { component, x, y, isFaint, point } = props
  const { name, state, version, dependencies, message, reason } = component
  const tone = componentTone(state)
  const about = [
    `${name}: ${state}`,
    version === undefined ? 'version unknown' : `at ${version}`,
    ...(dependencies.length === 0 ? [] : [`after ${dependencies.join(', ')}`]),
    ...(message === undefined && reason === undefined ? [] : [message ?? reason ?? '']),
  ]
  const tip = tipped(...about)
  return (
    <g
      class={`node tone-${tone} ${isFaint ? 'faint' : ''} node-${state.toLowerCase()}`}
      transform={`translate(${x} ${y})`}
      role="listitem"
      tabindex={0}
      aria-label={about.join(', ')}
      onPointerEnter={(event) => {
        tip.onPointerEnter(event)
        point(true)
      }}
      onPointerLeave={() => {
        tip.onPointerLeave()
        point(false)
      }}
      onFocus={(event) => {
        tip.onFocus(event)
        point(true)
      }}
      onBlur={() => {
        tip.onBlur()
        point(false)
      }}
    >
      <rect class="node-field" width={width} height={height} rx={7} />
      <g transform={`translate(10 ${height / 2 - 6.5}) scale(.8)`}>
        <path d={marks[state]} class={state === 'Rolling' ? 'mark turning' : 'mark'} />
      </g>
      <text x={30} y={height / 2} dominant-baseline="central">
        {name.length > 23 ? `${name.slice(0, 22)}…` : name}
      </text>
    </g>
  )
}

/** A sign for each state: shapes that differ without their colours. */
const marks: Readonly<Record<ComponentView['state'], string>> = {
  Done: 'm2.5 8.5 3.5 3.5 7.5-8.5',
  Rolling: 'M8 1.8a6.2 6.2 0 1 1-6.2 6.2',
  Waiting: 'M8 1.5a6.5 6.5 0 1 0 .01 0M8 4.5v4l2.5 1.5',
  Behind: 'M2.5 8h11',
  Failing: 'M3 3l10 10M13 3 3 13',
  Unknown: 'M5.5 5.5a2.6 2.6 0 1 1 3.7 2.5c-.9.5-1.2 1-1.2 2M8 13.2v.1',
}

function neighboursOf(name: string, { edges }: GraphLayout): ReadonlySet<string> {
  return new Set([name, ...edges.flatMap(({ from, to }) => (from === name ? to : to.includes(name) ? [from] : []))])
}
