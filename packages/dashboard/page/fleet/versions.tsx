import type { FleetFigures } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import type { Side } from '../../src/address/index.ts'
import { countOf, plural, shareOf } from '../../src/words/index.ts'
import { type MinorPart, minorsOf, type PatchPart, type VersionBar, versionBars } from '../../src/versions/index.ts'
import { Panel } from '../parts/panel.tsx'
import { tipped } from '../parts/tip.tsx'
import { choose, query } from './query.ts'

const titles: Readonly<Record<Side, string>> = { 'control-plane': 'Control planes', 'data-plane': 'Data planes', nodes: 'Nodes' }
const things: Readonly<Record<Side, string>> = { 'control-plane': 'control plane', 'data-plane': 'data plane', nodes: 'node' }

/** Where the fleet is on its way to newer versions: a bar for each side, minors from old to new, patches within. Each part is a filter. */
export function Versions({ figures }: { readonly figures: FleetFigures }): JSX.Element {
  const bars = versionBars(figures)
  const minors = minorsOf([...figures.controlPlaneVersions, ...figures.dataPlaneVersions, ...figures.nodeVersions])
  return (
    <Panel title="Versions" class="versions" aside={<Legend minors={minors} />}>
      {bars.map((bar) => (
        <div key={bar.side} class="version-row">
          <div class="version-side">
            <span>{titles[bar.side]}</span>
            <span class="dim">{countOf(bar.total)}</span>
          </div>
          <Bar bar={bar} minors={minors.length} />
        </div>
      ))}
    </Panel>
  )
}

function Legend({ minors }: { readonly minors: readonly string[] }): JSX.Element {
  return (
    <ul class="legend">
      {minors.map((minor, rank) => (
        <li key={minor}>
          <span class={`swatch ${shadeOf(minor, rank, minors.length)}`} aria-hidden="true" />
          {minor === '' ? 'unknown' : minor}
        </li>
      ))}
    </ul>
  )
}

/** Newer is deeper. There are six shades; the newest six minors differ, and older ones share the lightest. */
function shadeOf(minor: string, rank: number, count: number): string {
  return minor === '' ? 'shade-unknown' : `shade-${Math.max(0, 5 - (count - 1 - rank))}`
}

function Bar({ bar, minors }: { readonly bar: VersionBar; readonly minors: number }): JSX.Element {
  if (bar.total === 0) return <div class="version-bar none">none known</div>
  return (
    <div class="version-bar" role="group" aria-label={`Versions of ${titles[bar.side].toLowerCase()}`}>
      {bar.minors.map((part) => (
        <div key={part.minor} class={`minor ${shadeOf(part.minor, part.rank, minors)}`} style={{ flexGrow: part.count }}>
          <div class="minor-patches">
            {part.patches.map((patch) => (
              <Patch key={patch.version} side={bar.side} patch={patch} part={part} total={bar.total} />
            ))}
          </div>
          <Label side={bar.side} part={part} total={bar.total} />
        </div>
      ))}
    </div>
  )
}

/** One version. Its minor is named below; a version is too narrow for words more often than not, and says them when it is pointed at. */
function Patch(props: { readonly side: Side; readonly patch: PatchPart; readonly part: MinorPart; readonly total: number }): JSX.Element {
  const { side, patch, total } = props
  const name = patch.version === '' ? 'unknown version' : patch.version
  const counted = `${plural(patch.count, things[side])} (${shareOf(patch.count, total)})`
  const { version } = query.value
  const isOn = version?.side === side && version.version === patch.version
  return (
    <button
      type="button"
      class="patch"
      style={{ flexGrow: patch.count }}
      aria-pressed={isOn}
      aria-label={`${name}: ${counted}`}
      onClick={() => choose({ version: isOn ? undefined : { side, version: patch.version } })}
      {...tipped(name, counted)}
    >
      {patch.share > 0.07 && patch.version !== '' ? <span aria-hidden="true">{patch.version}</span> : null}
    </button>
  )
}

function Label(props: { readonly side: Side; readonly part: MinorPart; readonly total: number }): JSX.Element {
  const { side, part, total } = props
  const { version } = query.value
  const isOn = version?.side === side && version.version === part.minor
  const name = part.minor === '' ? 'unknown' : part.minor
  return (
    <button
      type="button"
      class={`minor-label ${part.share < 0.07 ? 'narrow' : ''}`}
      aria-pressed={isOn}
      aria-label={`${name} ${shareOf(part.count, total)}: ${plural(part.count, things[side])}`}
      onClick={() => choose({ version: isOn ? undefined : { side, version: part.minor } })}
    >
      <span aria-hidden="true">
        {name} <span class="dim">{shareOf(part.count, total)}</span>
      </span>
    </button>
  )
}
