import { NodePool } from '@windlass/api'
import type { Change } from '@windlass/apiserver'
import { server } from '../../packages/kube/src/simulation/actor.ts'
import { type Invariant, violationBy } from '../../packages/kube/src/simulation/invariant.ts'
import { StoredState, Write } from '../../packages/kube/src/simulation/record/index.ts'

/** What did not hold after some write from this revision on, in words. Rules see everything from the beginning. */
export function violationsSince(revision: number, changes: readonly Change[], rules: readonly Invariant[]): readonly string[] {
  const state = new StoredState()
  return changes.flatMap((change) => {
    const write = new Write(change, server, 0, state.apply(change))
    const violation = change.revision < revision ? undefined : violationBy(write, state, rules)
    return violation === undefined ? [] : [`${write.revision} ${write.key}: not ${violation.invariant.name}: ${violation.problem}`]
  })
}

/** What a pool said of itself from this revision on: each state once, in their order. */
export function statesSince(
  revision: number,
  changes: readonly Change[],
  name: string,
  pick: (pool: NodePool) => string,
): readonly string[] {
  const states = changes.flatMap((change) => {
    if (change.revision < revision || !change.key.includes(`/${NodePool.plural}/`) || !change.key.endsWith(`/${name}`)) return []
    return [pick(JSON.parse(change.bytes.toString()) as NodePool)]
  })
  return states.filter((state, index) => state !== states[index - 1])
}

/** The same, with the state that it had at that revision: whether anything else is written about it before it changes is chance. */
export function statesFrom(...[revision, changes, name, pick]: Parameters<typeof statesSince>): readonly string[] {
  const before = changes.filter((change) => change.revision < revision)
  const calm = statesSince(0, before, name, pick).at(-1)
  const since = statesSince(revision, changes, name, pick)
  return calm === undefined || calm === since[0] ? since : [calm, ...since]
}

/** `True`, or `False/NotFound`. */
export function saidBy({ status }: NodePool, type: string): string {
  const { status: state = '-', reason = '' } = status?.conditions?.find((each) => each.type === type) ?? {}
  return reason === 'AsExpected' || reason === '' ? state : `${state}/${reason}`
}
