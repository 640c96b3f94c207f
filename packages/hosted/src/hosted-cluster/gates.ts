import type { Seen } from './seen.ts'

/** Whether a cluster may be acted on, and if not, what its people have to do. */
export type Passage =
  | { readonly is: 'open' }
  /** `isError`: what is wrong may pass by itself, so the pass is tried again. */
  | { readonly is: 'closed'; readonly because: string; readonly isError: boolean }

const open: Passage = { is: 'open' }

type Gate = (seen: Seen) => Passage

/** In order, on every pass. Behind a closed gate nothing is propagated: not the release, and no other field either. */
const gates: readonly Gate[] = [
  ({
    prerequisites: {
      ValidConfiguration: { status, message },
    },
  }) => (status === 'False' ? { is: 'closed', because: `configuration is invalid: ${message}`, isError: true } : open),
  ({
    prerequisites: {
      SupportedHostedCluster: { status, message },
    },
  }) => (status === 'False' ? { is: 'closed', because: `the cluster is not supported: ${message}`, isError: false } : open),
  // Without a pull secret the rest of the spec still goes through; what needs the secret reports it.
  ({
    prerequisites: {
      ValidReleaseImage: { status, reason, message },
    },
  }) =>
    status === 'False' && reason !== 'SecretNotFound'
      ? { is: 'closed', because: `the release image is invalid: ${message}`, isError: false }
      : open,
  ({ upgrade }) =>
    upgrade.is === 'blocked' ? { is: 'closed', because: `the upgrade is blocked: ${upgrade.message}`, isError: false } : open,
]

export function passage(seen: Seen): Passage {
  for (const gate of gates) {
    const result = gate(seen)
    if (result.is === 'closed') return result
  }
  return open
}
