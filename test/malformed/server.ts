import { type EmbeddedOptions, startEmbedded } from '@windlass/apiserver'
import { logicalClusters } from './subjects.ts'

/**
 * A server in a process of its own that also tells how much memory it really holds: run with `--expose-gc` and an IPC channel. First it
 * says where it is; then it answers every message with the bytes in use after a full collection. What nobody foresaw is
 * reported as it happens.
 */
export type Report =
  | { readonly kind: 'ready'; readonly url: string; readonly ca: string; readonly token: string }
  | { readonly kind: 'memory'; readonly bytes: number }
  | { readonly kind: 'problem'; readonly text: string }

const report = (what: Report): void => void process.send?.(what)

const tokens = ['nobody', 'guest'].map((name) => ({ token: `${name}-token`, user: { name, uid: `${name}-uid`, groups: [], extra: {} } }))

const embedded = await startEmbedded({
  definitions: [logicalClusters as NonNullable<EmbeddedOptions['definitions']>[number]],
  tokens,
  onProblem: (problem, error) => report({ kind: 'problem', text: `${problem}: ${error instanceof Error ? error.stack : String(error)}` }),
})

process.on('message', () => {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc')
  // Twice: what finalizers let go of in the first round is only free after the second.
  for (let round = 0; round < 2; round++) globalThis.gc()
  report({ kind: 'memory', bytes: process.memoryUsage().heapUsed })
})
process.on('disconnect', () => process.exit())

report({ kind: 'ready', url: embedded.url, ca: embedded.ca, token: embedded.adminToken })
