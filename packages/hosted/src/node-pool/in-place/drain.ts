import type { Node } from '@windlass/api'
import { nodeStateOf } from './node-state.ts'

/** What the daemon on a node asks for before and after it changes it. */
export type DrainRequest = { readonly do: 'drain' | 'uncordon'; readonly text: string } | undefined

/** The drain that is asked for and not done yet. Whoever has done it copies the text to `lastAppliedDrain`. */
export function drainRequestOf(node: Node): DrainRequest {
  const { desiredDrain, lastAppliedDrain } = nodeStateOf(node)
  if (desiredDrain === '' || desiredDrain === lastAppliedDrain) return undefined
  const [verb] = desiredDrain.split('-')
  return verb === 'drain' || verb === 'uncordon' ? { do: verb, text: desiredDrain } : undefined
}
