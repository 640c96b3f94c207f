import type { Node } from '@windlass/api'
import { nodeStateOf } from './node-state.ts'

/** What the daemon on a node asks for before and after it changes it. */
export type DrainRequest = { readonly do: 'drain' | 'uncordon'; readonly text: string } | undefined

/** The drain that is asked for and not done yet. Whoever has done it copies the text to `lastAppliedDrain`. */
export function drainRequestOf(node: Node): DrainRequest {
  const { desiredDrain, lastAppliedDrain } = nodeStateOf(node)
  if (desiredDrain === '' || desiredDrain === lastAppliedDrain) return undefined
  const verb = drainVerb(desiredDrain)
  return verb === undefined ? undefined : { do: verb, text: desiredDrain }
}

/** What a request asks for, done or not: `drain-` or `uncordon-`, and the configuration that it is for. */
export function drainVerb(request: string): 'drain' | 'uncordon' | undefined {
  const [verb] = request.split('-')
  return verb === 'drain' || verb === 'uncordon' ? verb : undefined
}
