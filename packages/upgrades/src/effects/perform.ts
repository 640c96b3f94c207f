import type { Effect } from './effect.ts'

/** Carries out one effect, or throws. */
export type Perform = (effect: Effect) => Promise<void>

/**
 * Carries out effects in order; returns what failed, in words, or undefined when all that matters went well.
 * What becomes of those after a failure is for each effect to say, see `OnFailure`.
 */
export async function performAll(
  effects: readonly Effect[],
  perform: Perform,
  log: (message: string) => void,
): Promise<string | undefined> {
  const failures: string[] = []
  for (const effect of effects) {
    try {
      await perform(effect)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (effect.onFailure === 'go on') log(message)
      else failures.push(message)
      if (effect.onFailure === 'stop') break
    }
  }
  return failures.length === 0 ? undefined : failures.join('; ')
}
