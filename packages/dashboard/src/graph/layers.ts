import type { ComponentView } from '@windlass/fleet/contract'

/** A dependency that is drawn: `to` waits for `from`. */
export interface Edge {
  readonly from: string
  readonly to: string
}

/** Components by how many others must be done before them at least, and the dependencies between them. */
export interface Layered {
  readonly layers: readonly (readonly string[])[]
  readonly edges: readonly Edge[]
}

/**
 * Gives each component the layer after the last one that it depends on.
 *
 * Dependencies on what is not there are left out, and so is one of each circle: a mistake in the data is no reason to draw nothing. A dependency that
 * follows from others is not drawn: kube-apiserver waits for etcd, so that whoever waits for kube-apiserver need not be tied to etcd as well.
 */
export function layersOf(components: readonly Pick<ComponentView, 'name' | 'dependencies'>[]): Layered {
  const parents = parentsOf(components)
  const depths = new Map<string, number>()
  for (const { name } of components) depthOf(name, parents, depths)
  const layers: string[][] = []
  for (const { name } of components) (layers[depths.get(name) ?? 0] ??= []).push(name)
  const ancestors = new Map<string, ReadonlySet<string>>()
  const edges = components.flatMap(({ name: to }) => {
    const direct = parents.get(to) ?? []
    const implied = new Set(direct.flatMap((parent) => [...ancestorsOf(parent, parents, ancestors)]))
    return direct.filter((from) => !implied.has(from)).map((from) => ({ from, to }))
  })
  return { layers, edges }
}

/** Who each waits for, without strangers, repetitions and circles. */
function parentsOf(components: readonly Pick<ComponentView, 'name' | 'dependencies'>[]): ReadonlyMap<string, readonly string[]> {
  const given = new Map(components.map(({ name, dependencies }) => [name, [...new Set(dependencies)].toSorted()]))
  const parents = new Map<string, string[]>()
  const isDone = new Set<string>()
  const visit = (name: string, above: ReadonlySet<string>): void => {
    if (isDone.has(name)) return
    const path = new Set([...above, name])
    const kept = (given.get(name) ?? []).filter((parent) => given.has(parent) && !path.has(parent))
    for (const parent of kept) visit(parent, path)
    parents.set(name, kept)
    isDone.add(name)
  }
  for (const name of given.keys()) visit(name, new Set())
  return parents
}

function depthOf(name: string, parents: ReadonlyMap<string, readonly string[]>, depths: Map<string, number>): number {
  const known = depths.get(name)
  if (known !== undefined) return known
  const depth = Math.max(-1, ...(parents.get(name) ?? []).map((parent) => depthOf(parent, parents, depths))) + 1
  depths.set(name, depth)
  return depth
}

function ancestorsOf(
  name: string,
  parents: ReadonlyMap<string, readonly string[]>,
  known: Map<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const before = known.get(name)
  if (before !== undefined) return before
  const direct = parents.get(name) ?? []
  const found = new Set(direct.flatMap((parent) => [parent, ...ancestorsOf(parent, parents, known)]))
  known.set(name, found)
  return found
}
