import type { MachineConfig, MachineConfigPool, Node } from '@windlass/api'
import * as fixtures from '@windlass/api/fixtures'
import { formatTime, type Instant } from '@windlass/core'
import { start } from './clusters.ts'

const prefix = 'machineconfiguration.openshift.io/'

export interface NodeParts {
  readonly name?: string
  readonly roles?: readonly string[]
  /** What the machine config daemon has written, by the short names of its annotations. */
  readonly notes?: Readonly<Record<string, string>>
  readonly isUnschedulable?: boolean
  /** Conditions that are not as they should be, by type. */
  readonly conditions?: Readonly<
    Record<string, { readonly status: 'True' | 'False' | 'Unknown'; readonly message?: string; readonly since?: Instant }>
  >
}

/** A ready worker on which the daemon has nothing to do, unless told. */
export function aNode({ name = 'worker-a', roles = ['worker'], notes, isUnschedulable, conditions = {} }: NodeParts = {}): Node {
  const given = notes ?? {
    currentConfig: 'C1',
    desiredConfig: 'C1',
    state: 'Done',
    desiredDrain: 'uncordon-C1',
    lastAppliedDrain: 'uncordon-C1',
  }
  const usual = { Ready: { status: 'True' }, DiskPressure: { status: 'False' } } as const
  return fixtures.aNode({
    name,
    metadata: {
      name,
      labels: Object.fromEntries(roles.map((role) => [`node-role.kubernetes.io/${role}`, ''])),
      annotations: Object.fromEntries(Object.entries(given).map(([note, value]) => [prefix + note, value])),
    },
    ...(isUnschedulable === undefined ? {} : { spec: { unschedulable: isUnschedulable } }),
    status: {
      conditions: Object.entries<{ readonly status: 'True' | 'False' | 'Unknown'; readonly message?: string; readonly since?: Instant }>({
        ...usual,
        ...conditions,
      }).map(([type, { status, message, since = start }]) => ({
        type,
        status,
        lastTransitionTime: formatTime(since),
        lastHeartbeatTime: formatTime(start),
        ...(message === undefined ? {} : { message }),
      })),
    },
  })
}

/** The pool of all nodes with a role. */
export function aPool(
  name: string,
  { isPaused = false, ...options }: Parameters<typeof fixtures.aMachineConfigPool>[0] & { readonly isPaused?: boolean } = {},
): MachineConfigPool {
  const nodeSelector = { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' } }
  return fixtures.aMachineConfigPool({ ...options, name, spec: { nodeSelector, paused: isPaused, ...options.spec } })
}

export function aConfig(name: string, version?: string): MachineConfig {
  const annotations = version === undefined ? {} : { [`${prefix}release-image-version`]: version }
  return fixtures.aMachineConfig({ name, metadata: { name, annotations } })
}
