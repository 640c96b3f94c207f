import { type ComponentReport, counts, type RolloutTarget, shortfallOf } from './component.ts'

/**
 * Whether a control plane has reached the target: every component has, there is at least one, and all that are expected are there.
 * The one rule for controllers, metrics, the command line and the web page.
 *
 * Without `expected`, what is not there is not missed: an installation that has got no further than its own operator looks complete.
 */
export function isComplete(components: readonly ComponentReport[], target: RolloutTarget, expected?: ReadonlySet<string>): boolean {
  for (const component of components) if (shortfallOf(component, target) !== undefined && counts(component)) return false
  return isAnyThere(components) && (expected === undefined || areThere(expected, components))
}

/** Whether there is any component at all. */
export function isAnyThere(components: readonly ComponentReport[]): boolean {
  for (const component of components) if (counts(component)) return true
  return false
}

/** Names are unique in a namespace, so counting the expected ones among them is enough. */
function areThere(expected: ReadonlySet<string>, components: readonly ComponentReport[]): boolean {
  let found = 0
  for (const component of components) {
    const { name } = component.metadata
    if (name !== undefined && expected.has(name) && counts(component)) found++
  }
  return found === expected.size
}

/** The expected ones that are not there, by name. */
export function missingComponents(components: readonly ComponentReport[], expected: ReadonlySet<string>): readonly string[] {
  const missing = new Set(expected)
  for (const component of components)
    if (component.metadata.name !== undefined && counts(component)) missing.delete(component.metadata.name)
  return [...missing].toSorted()
}
