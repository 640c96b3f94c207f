import type { ClusterView, ComponentView } from '@windlass/fleet/contract'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { componentTone, plural } from '../../src/words/index.ts'
import { Empty, Panel } from '../parts/panel.tsx'
import { State } from '../parts/sign.tsx'
import { Graph } from './graph.tsx'

const order = ['Failing', 'Rolling', 'Waiting', 'Behind', 'Unknown', 'Done'] as const satisfies readonly ComponentView['state'][]

/** The parts of the control plane: as a picture of who waits for whom, or as a list. */
export function Components({ view }: { readonly view: ClusterView }): JSX.Element {
  const { components } = view
  // There is no room for the picture on a telephone.
  const isList = useSignal(innerWidth < 700)
  const counts = order
    .map((state) => ({ state, count: components.filter((each) => each.state === state).length }))
    .filter(({ count }) => count > 0)
  if (components.length === 0) {
    return (
      <Panel title="Components">
        <Empty title="No components are known">They appear when the control plane begins to be installed.</Empty>
      </Panel>
    )
  }
  return (
    <Panel
      title={view.row.kind === 'Hosted' ? 'Components' : 'Cluster operators'}
      class="components"
      aside={
        <>
          <ul class="tally" aria-label={`${plural(components.length, 'component')} by state`}>
            {counts.map(({ state, count }) => (
              <li key={state}>
                <State tone={componentTone(state)}>{`${count} ${state.toLowerCase()}`}</State>
              </li>
            ))}
          </ul>
          <div class="button-row" role="group" aria-label="How components are shown">
            <button type="button" class="button small" aria-pressed={!isList.value} onClick={() => (isList.value = false)}>
              Graph
            </button>
            <button type="button" class="button small" aria-pressed={isList.value} onClick={() => (isList.value = true)}>
              List
            </button>
          </div>
        </>
      }
    >
      {isList.value ? <List components={components} /> : <Graph components={components} />}
    </Panel>
  )
}

function List({ components }: { readonly components: readonly ComponentView[] }): JSX.Element {
  const sorted = components.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.name < b.name ? -1 : 1))
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="Components as a list">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Component</th>
            <th scope="col">State</th>
            <th scope="col">Version</th>
            <th scope="col">Waits for</th>
            <th scope="col">What it says</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ name, state, version, dependencies, reason, message }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <State tone={componentTone(state)}>{state}</State>
              </td>
              <td>{version ?? 'unknown'}</td>
              <td class="dim">{dependencies.join(', ') || 'nothing'}</td>
              <td>{message ?? reason ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
