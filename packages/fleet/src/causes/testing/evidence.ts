import { aClusterVersion, aHostedCluster } from '@windlass/api/fixtures'
import type { Condition } from '@windlass/core'
import type { CauseChain, WhyView } from '../../contract/index.ts'
import { type ClassicEvidence, type HostedEvidence, noControlPlane, noGuest, noMachines } from '../evidence.ts'

/** An hour after fixtures were made. */
export const now = Date.UTC(2026, 0, 1, 1)

/** So many minutes before now. */
export function ago(minutes: number): string {
  return new Date(now - minutes * 60_000).toISOString().replace('.000', '')
}

/** A condition that has been so for some minutes. */
export function since<const Type extends string, const Status extends Condition['status']>(
  minutes: number,
  type: Type,
  status: Status,
  reason: string,
  message = '',
) {
  return { type, status, reason, message, lastTransitionTime: ago(minutes) }
}

/** `clusters/prod`, which rests; a test says what is otherwise. */
export function aHostedEvidence(parts: Partial<HostedEvidence> = {}): HostedEvidence {
  return {
    kind: 'Hosted',
    id: 'mgmt/clusters/prod',
    hostedCluster: aHostedCluster(),
    controlPlaneNamespace: 'clusters-prod',
    components: [],
    pools: [],
    controlPlane: noControlPlane,
    machines: noMachines,
    guest: noGuest,
    unknown: [],
    ...parts,
  }
}

export function aClassicEvidence(parts: Partial<ClassicEvidence> = {}): ClassicEvidence {
  return {
    kind: 'Classic',
    id: 'classic',
    clusterVersion: aClusterVersion(),
    operators: [],
    machineConfigPools: [],
    nodes: { wanted: 3, ready: 3, versions: [] },
    health: [],
    guest: noGuest,
    machineSets: [],
    machines: [],
    unknown: [],
    ...parts,
  }
}

/** `Pod etcd-0 [CrashLoopBackOff]`, from the cluster down. */
export function pathOf({ links }: CauseChain): string {
  return links.map(({ object, reason = '' }) => `${object.kind} ${object.name}${reason === '' ? '' : ` [${reason}]`}`).join(' > ')
}

export function paths({ chains }: WhyView): readonly string[] {
  return chains.map(pathOf)
}
