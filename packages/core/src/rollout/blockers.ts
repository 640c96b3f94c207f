import { missingComponents } from '../completion/completion.ts'
import { type ComponentReport, counts, rolloutCondition, type RolloutTarget, type Shortfall, shortfallOf } from '../completion/component.ts'

/** A component that keeps an update from being complete. */
export interface Blocker {
  readonly name: string
  /** What it lacks. Missing: it should be there and is not. */
  readonly cause: Shortfall | 'Missing'
  /** What it says itself about its rollout; empty when it says nothing. */
  readonly reason: string
  readonly message: string
  /** It waits for no other component: this is where to look first. */
  readonly isRoot: boolean
}

/** What keeps the components from the target, by name. With `expected`, components that are not there are named too. */
export function rolloutBlockers(
  components: readonly ComponentReport[],
  target: RolloutTarget,
  expected?: ReadonlySet<string>,
): readonly Blocker[] {
  const present = components.filter(counts).flatMap((component) => blockerOf(component, target) ?? [])
  const missing = expected === undefined ? [] : missingComponents(components, expected).map(missingBlocker)
  return [...present, ...missing].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function blockerOf(component: ComponentReport, target: RolloutTarget): Blocker | undefined {
  const cause = shortfallOf(component, target)
  if (cause === undefined) return undefined
  const { reason = '', message = '' } = rolloutCondition(component.status?.conditions) ?? {}
  return { name: component.metadata.name ?? '', cause, reason, message, isRoot: reason !== 'WaitingForDependencies' }
}

function missingBlocker(name: string): Blocker {
  return { name, cause: 'Missing', reason: '', message: '', isRoot: true }
}
