import type { ComponentView } from '@windlass/fleet/contract'
import { layersOf } from './layers.ts'

/** Sizes in the units of the picture. */
export interface Measures {
  readonly width: number
  readonly height: number
  /** Between layers: where the lines run. */
  readonly layerGap: number
  /** Between columns of one group. */
  readonly columnGap: number
  readonly rowGap: number
  /** Between groups of one layer. */
  readonly groupGap: number
  /** Between the frame of a group and what is in it. */
  readonly padding: number
  /** How many components stand below each other before a further column begins. */
  readonly rows: number
}

export const usualMeasures: Measures = { width: 182, height: 30, layerGap: 44, columnGap: 8, rowGap: 7, groupGap: 14, padding: 8, rows: 12 }

export interface PlacedNode {
  readonly name: string
  readonly layer: number
  readonly x: number
  readonly y: number
}

/** Components that wait for the very same ones: they are tied by one line, not by one each. */
export interface PlacedGroup {
  readonly names: readonly string[]
  /** What all of them wait for. */
  readonly parents: readonly string[]
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** A group of one or two needs no frame. */
  readonly isFramed: boolean
}

/** A line from the right side of a component to the left side of a group, or of the one component in it. */
export interface PlacedEdge {
  readonly from: string
  readonly to: readonly string[]
  readonly path: string
}

export interface GraphLayout {
  readonly width: number
  readonly height: number
  readonly nodes: readonly PlacedNode[]
  readonly groups: readonly PlacedGroup[]
  readonly edges: readonly PlacedEdge[]
}

interface Group {
  readonly names: readonly string[]
  readonly parents: readonly string[]
}

const listColumns = 7

/** As many and more in a group are framed. */
const framed = 3

/**
 * A picture of who waits for whom, from left to right.
 *
 * The same components give the same picture whatever their states are: nothing moves while an update rolls through it.
 */
export function layoutOf(components: readonly Pick<ComponentView, 'name' | 'dependencies'>[], given = usualMeasures): GraphLayout {
  const { layers, edges } = layersOf(components.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  // Without any ties there is nothing but a list, which is wide rather than high.
  const measures = layers.length === 1 ? { ...given, rows: Math.max(3, Math.ceil(components.length / listColumns)) } : given
  const hasDependents = new Set(edges.map(({ from }) => from))
  const parents = new Map<string, string[]>()
  for (const { from, to } of edges) parents.set(to, [...(parents.get(to) ?? []), from])

  const nodes: PlacedNode[] = []
  const groups: PlacedGroup[] = []
  const places = new Map<string, PlacedNode>()
  const bottoms: number[] = []
  let x = 0
  for (const [layer, names] of layers.entries()) {
    let y = 0
    let widest = 0
    for (const group of ordered(groupsOf(names, parents, hasDependents), places)) {
      const placed = place(group, x, y, layer, measures)
      nodes.push(...placed.nodes)
      groups.push(placed.group)
      y += placed.group.height + measures.groupGap
      widest = Math.max(widest, placed.group.width)
    }
    bottoms.push(y - measures.groupGap)
    for (const node of nodes) if (node.layer === layer) places.set(node.name, node)
    x += widest + measures.layerGap
  }
  const height = Math.max(0, ...bottoms)
  // Layers stand in the middle of the picture, so that lines are short.
  const lower = <T extends { readonly y: number }>(placed: T, layer: number): T => ({
    ...placed,
    y: placed.y + (height - (bottoms[layer] ?? 0)) / 2,
  })
  const layerOf = new Map(nodes.map((node) => [node.name, node.layer]))
  const movedNodes = nodes.map((node) => lower(node, node.layer))
  const movedGroups = groups.map((group) => lower(group, layerOf.get(group.names[0] ?? '') ?? 0))
  return {
    width: Math.max(0, x - measures.layerGap),
    height,
    nodes: movedNodes,
    groups: movedGroups,
    edges: edgesOf(movedGroups, new Map(movedNodes.map((node) => [node.name, node])), measures),
  }
}

/** Those that others wait for come last: they stand in the column on the right, where lines can leave. */
function groupsOf(
  names: readonly string[],
  parents: ReadonlyMap<string, readonly string[]>,
  hasDependents: ReadonlySet<string>,
): readonly Group[] {
  const byParents = Map.groupBy(names, (name) => (parents.get(name) ?? []).join('\n'))
  return [...byParents.values()].map((members) => ({
    names: members.toSorted((a, b) => Number(hasDependents.has(a)) - Number(hasDependents.has(b))),
    parents: parents.get(members[0] ?? '') ?? [],
  }))
}

/** Groups from top to bottom as their parents are. */
function ordered(groups: readonly Group[], places: ReadonlyMap<string, PlacedNode>): readonly Group[] {
  const mean = ({ parents }: Group): number =>
    parents.length === 0 ? 0 : parents.reduce((sum, parent) => sum + (places.get(parent)?.y ?? 0), 0) / parents.length
  return groups.toSorted((a, b) => mean(a) - mean(b))
}

function place(
  group: Group,
  x: number,
  y: number,
  layer: number,
  measures: Measures,
): { readonly nodes: readonly PlacedNode[]; readonly group: PlacedGroup } {
  const { width, height, columnGap, rowGap, rows } = measures
  const count = group.names.length
  const isFramed = count >= framed
  const padding = isFramed ? measures.padding : 0
  const inColumn = Math.ceil(count / Math.ceil(count / rows))
  const columns = Math.ceil(count / inColumn)
  const nodes = group.names.map((name, index) => ({
    name,
    layer,
    x: x + padding + Math.floor(index / inColumn) * (width + columnGap),
    y: y + padding + (index % inColumn) * (height + rowGap),
  }))
  return {
    nodes,
    group: {
      ...group,
      x,
      y,
      width: columns * (width + columnGap) - columnGap + 2 * padding,
      height: inColumn * (height + rowGap) - rowGap + 2 * padding,
      isFramed,
    },
  }
}

function edgesOf(groups: readonly PlacedGroup[], places: ReadonlyMap<string, PlacedNode>, measures: Measures): readonly PlacedEdge[] {
  const { width, height, layerGap } = measures
  return groups.flatMap((group) =>
    group.parents.flatMap((from) => {
      const parent = places.get(from)
      if (parent === undefined) return []
      const start: Point = [parent.x + width, parent.y + height / 2]
      const line = (to: readonly string[], y: number): PlacedEdge => ({ from, to, path: curve(start, [group.x, y], layerGap / 2) })
      if (group.isFramed) return [line(group.names, group.y + group.height / 2)]
      return group.names.map((name) => line([name], (places.get(name)?.y ?? group.y) + height / 2))
    }),
  )
}

type Point = readonly [x: number, y: number]

/** Level at both ends; most of the way is straight, so that lines over a long distance do not sag through what is between. */
function curve([x1, y1]: Point, [x2, y2]: Point, bend: number): string {
  return `M${x1} ${y1}H${x2 - 2 * bend}C${x2 - bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}
