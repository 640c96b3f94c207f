import { capi, NodePool } from '@windlass/api'
import { findCondition, type Instant, isFalse, isTrue } from '@windlass/core'
import type { CauseLink } from '../../contract/index.ts'
import { behind, type Cause, causeOf, linkTo, placeOf } from '../cause.ts'
import type { HostedEvidence } from '../evidence.ts'
import { together } from '../together.ts'
import { addressTroubles } from '../workloads/index.ts'
import { conditionCauses, pauseCause, repairCause } from './conditions.ts'
import { machineTroubles } from './machine.ts'

/** On machines, and on what they are made from: `<namespace>/<name>` of their pool. */
const poolAnnotation = 'hypershift.openshift.io/nodePool'

/** Whether a pool has something under way, or something that is not well: whether its machines are worth a look. */
export function isUnsettled(pool: NodePool): boolean {
  const { conditions, replicas = 0 } = pool.status ?? {}
  const wanted = pool.spec.autoScaling === undefined ? (pool.spec.replicas ?? 0) : (pool.spec.autoScaling.min ?? 1)
  const isIll = ['AllMachinesReady', 'AllNodesHealthy', 'Ready'].some(
    (type) => isFalse(conditions, type) && findCondition(conditions, type)?.reason !== 'AsExpected',
  )
  return pool.metadata.deletionTimestamp !== undefined || isUpdating(pool) || isIll || replicas < wanted
}

function isUpdating({ status }: NodePool): boolean {
  const { conditions } = status ?? {}
  const hasFailed = findCondition(conditions, 'UpdatingVersion')?.reason === 'InplaceUpgradeFailed'
  return hasFailed || ['UpdatingVersion', 'UpdatingConfig', 'UpdatingPlatformMachineTemplate'].some((type) => isTrue(conditions, type))
}

/** What keeps a pool from its release, from its size, and from being gone. */
export function causesOf(pool: NodePool, evidence: HostedEvidence, now: Instant): readonly Cause[] {
  const own = conditionCauses(pool)
  if (!isUnsettled(pool)) return own
  const pause = pool.metadata.deletionTimestamp === undefined ? pauseCause(pool) : undefined
  const link = linkOf(pool)
  const machines = machinesOf(pool, evidence)
  const nodes = new Map(evidence.guest.nodes.map((node) => [node.metadata.name ?? '', node]))
  const ignition = addressTroubles(evidence.controlPlane, now).filter(({ links: [first] }) =>
    first.object.name.startsWith('ignition-server'),
  )
  const troubles = machines.flatMap((machine) => {
    const node = nodes.get(machine.status?.nodeRef?.name ?? '')
    return machineTroubles({ machine, pool, node, guest: evidence.guest, ignition, now }).map((each) => behind(link, each))
  })
  const checks = evidence.machines.healthChecks.filter((check) => isOf(pool, check))
  const found = [
    ...own,
    ...(pause === undefined ? [] : [pause]),
    ...together(troubles),
    ...checks.flatMap((check) => repairCause(link, check) ?? []),
  ]
  return found.length > 0 ? found : [goingOn(pool, link, machines, evidence)]
}

function isOf({ metadata: { namespace = '', name = '' } }: NodePool, object: { readonly metadata: NodePool['metadata'] }): boolean {
  return object.metadata.annotations?.[poolAnnotation] === `${namespace}/${name}` || object.metadata.name === name
}

function machinesOf(pool: NodePool, { machines: { machines } }: HostedEvidence): readonly capi.Machine[] {
  const { namespace = '', name = '' } = pool.metadata
  return machines.filter(({ metadata }) => metadata.annotations?.[poolAnnotation] === `${namespace}/${name}`)
}

function linkOf(pool: NodePool): CauseLink {
  const { status, spec, metadata } = pool
  const updating = ['UpdatingVersion', 'UpdatingConfig'].map((type) => findCondition(status?.conditions, type))
  const running = updating.find((condition) => condition?.status === 'True')
  const failed = updating.find((condition) => condition?.reason === 'InplaceUpgradeFailed')
  const place = placeOf(NodePool, pool, 'management')
  if (metadata.deletionTimestamp !== undefined) {
    return linkTo(place, 'it is being deleted', { reason: 'Deleting', since: metadata.deletionTimestamp })
  }
  if (failed !== undefined)
    return linkTo(place, `its nodes cannot be updated: ${failed.message ?? ''}`, {
      reason: failed.reason,
      since: failed.lastTransitionTime,
    })
  if (running !== undefined)
    return linkTo(place, running.message ?? 'it is being updated', { reason: running.type, since: running.lastTransitionTime })
  const ill = ['AllMachinesReady', 'AllNodesHealthy', 'Ready']
    .map((type) => findCondition(status?.conditions, type))
    .find((condition) => condition?.status === 'False')
  const [summary = ''] = (ill?.message ?? '').split('\n')
  const counted = `${status?.replicas ?? 0} of ${spec.replicas ?? spec.autoScaling?.min ?? 0} nodes are available`
  return linkTo(place, summary === '' ? counted : summary, { reason: ill?.reason, since: ill?.lastTransitionTime })
}

/** Nothing is wrong with any machine: it goes on, or waits for somebody to make it go on. */
function goingOn(pool: NodePool, link: CauseLink, machines: readonly capi.Machine[], { machines: { deployments } }: HostedEvidence): Cause {
  const deployment = deployments.find((each) => isOf(pool, each))
  const isOnDelete = pool.spec.management.replace?.strategy === 'OnDelete'
  const { updatedReplicas = 0, replicas = 0 } = deployment?.status ?? {}
  if (isOnDelete && deployment !== undefined && updatedReplicas < replicas) {
    const says = `${updatedReplicas} of ${replicas} machines are of the new release; the others stay until somebody deletes them (strategy OnDelete)`
    return causeOf({
      weight: 'Held',
      links: [link, linkTo(placeOf(capi.MachineDeployment, deployment, 'management'), says, { reason: 'OnDelete' })],
      remedy: 'Delete the old machines, one after the other.',
      command: `get machines.cluster.x-k8s.io -n ${deployment.metadata.namespace ?? ''} -L machine-template-hash`,
    })
  }
  if (deployment === undefined) {
    return causeOf({ weight: machines.length === 0 ? 'Waiting' : 'Working', links: [link] })
  }
  const says = `${updatedReplicas} of ${deployment.spec.replicas ?? 0} machines are of the new release`
  return causeOf({
    weight: 'Working',
    links: [link, linkTo(placeOf(capi.MachineDeployment, deployment, 'management'), says, { reason: 'RollingUpdate' })],
  })
}
