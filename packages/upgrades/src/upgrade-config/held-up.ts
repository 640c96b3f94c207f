import { UpgradeConfig } from '@windlass/api'
import { patch, type PatchAction, refOf } from '@windlass/kube'
import { Annotation } from './names.ts'

/** Some answers of servers are pages long. */
const longest = 500

/** Why the last pass over it failed, by its annotation; undefined when it did not. */
export function heldUpBy({ metadata }: UpgradeConfig): string | undefined {
  return metadata.annotations?.[Annotation.heldUpBy]
}

/**
 * Puts on record why a pass failed, or that the last one did not; undefined when that is there already.
 *
 * Conditions tell what a step found. What keeps a pass from getting that far, such as a provider that does not answer, would be in the operator's log only, and that is
 * not where people look who ask what an upgrade waits for.
 */
export function recordHeldUp(upgradeConfig: UpgradeConfig, problem: string | undefined): PatchAction | undefined {
  const text = problem?.slice(0, longest)
  if (text === heldUpBy(upgradeConfig)) return undefined
  const annotations = { [Annotation.heldUpBy]: text ?? null }
  return patch(UpgradeConfig, refOf(upgradeConfig), { metadata: { annotations } }, text ?? 'nothing holds it up any more')
}
