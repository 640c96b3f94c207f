/** Something that has a name, and where it is. A classic cluster is a member itself. */
export type Place = { readonly member: string } | { readonly member: string; readonly namespace: string; readonly name: string }

/**
 * How to name each of them: by name alone; by namespace too where a name is not enough; by member too where that is not. Whoever has typed a slash gets the long
 * names, which begin with it.
 */
export function spelled(places: readonly Place[], typed: string): readonly string[] {
  const ways = places.map(waysTo)
  const uses = new Map<string, number>()
  for (const way of ways.flat()) uses.set(way, (uses.get(way) ?? 0) + 1)
  const long = typed.includes('/') ? ways.flat().filter((way) => way.startsWith(typed)) : []
  const short = ways.map((each) => each.find((way) => uses.get(way) === 1) ?? each.at(-1) ?? '')
  return [...new Set(long.length > 0 ? long : short)].toSorted()
}

/** The shortest first. */
function waysTo(place: Place): readonly string[] {
  if (!('name' in place)) return [place.member]
  const { member, namespace, name } = place
  return [name, `${namespace}/${name}`, `${member}/${namespace}/${name}`]
}
