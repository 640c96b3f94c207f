import {
  capi,
  Deployment,
  Event,
  HostedCluster,
  HostedControlPlane,
  Job,
  Namespace,
  Pod,
  Route,
  Secret,
  Service,
  StatefulSet,
} from '@windlass/api'
import { isFalse } from '@windlass/core'
import type { HostedObjects } from '../../model/objects.ts'
import { PersistentVolumeClaim } from '../claim.ts'
import {
  type ControlPlaneEvidence,
  type GuestEvidence,
  type HostedEvidence,
  type MachineEvidence,
  noControlPlane,
  noGuest,
  noMachines,
} from '../evidence.ts'
import { gatherGuest, type GuestQuestions } from './guest.ts'
import { type HostedNeeds, hostedNeeds } from './needs.ts'
import type { Means } from './means.ts'
import type { Reader } from './reader.ts'

/** Reads what the objects in memory point to, and nothing else: a cluster that rests costs no request. */
export async function gatherHosted(objects: HostedObjects, reader: Reader, means: Means): Promise<HostedEvidence> {
  const { client, isCurrent: _, member: _member, unread: _unread, ...known } = objects
  const needs = hostedNeeds(objects)
  const machines = gatherMachines(objects, needs, reader)
  const [hostedCluster, controlPlane, gathered, guest] = await Promise.all([
    needs.itself ? reader.find(client, HostedCluster, 'of this name', refTo(objects)) : undefined,
    gatherControlPlane(objects, needs, reader),
    machines,
    askGuest(objects, { version: needs.version, nodes: needs.machines, leaving: machines.then(leavingNodes) }, reader, means),
  ])
  return { ...known, hostedCluster: hostedCluster ?? known.hostedCluster, controlPlane, machines: gathered, guest, unknown: reader.unknown }
}

function refTo({ hostedCluster }: HostedObjects) {
  const { namespace = '', name = '' } = hostedCluster.metadata
  return { namespace, name }
}

async function gatherControlPlane(
  { client, controlPlaneNamespace: namespace, hostedCluster }: HostedObjects,
  needs: HostedNeeds,
  reader: Reader,
): Promise<ControlPlaneEvidence> {
  if (!needs.controlPlane && !needs.workloads && !needs.publishing) return noControlPlane
  const where = `in namespace ${namespace}`
  const all = { namespace }
  const { workloads, publishing, isDeleting } = needs
  const [itself, home, deployments, statefulSets, jobs, pods, claims, services, routes, events] = await Promise.all([
    reader.find(client, HostedControlPlane, where, { namespace, name: hostedCluster.metadata.name ?? '' }),
    isDeleting ? reader.find(client, Namespace, 'of the control plane', { name: namespace }) : undefined,
    workloads ? reader.list(client, Deployment, where, all) : [],
    workloads ? reader.list(client, StatefulSet, where, all) : [],
    workloads ? reader.list(client, Job, where, all) : [],
    workloads ? reader.list(client, Pod, where, all) : [],
    workloads ? reader.list(client, PersistentVolumeClaim, where, all) : [],
    publishing ? reader.list(client, Service, where, all) : [],
    publishing ? reader.list(client, Route, where, all) : [],
    workloads || publishing ? reader.list(client, Event, where, { ...all, fieldSelector: 'type=Warning' }) : [],
  ])
  return {
    ...(itself === undefined ? {} : { itself }),
    ...(home === undefined ? {} : { namespace: home }),
    deployments,
    statefulSets,
    jobs,
    pods,
    claims,
    services,
    routes,
    events: events.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)),
  }
}

/** When it happened last. */
function timeOf({ series, eventTime, metadata }: Event): string {
  return series?.lastObservedTime ?? eventTime ?? metadata.creationTimestamp ?? ''
}

async function gatherMachines(
  { client, controlPlaneNamespace: namespace }: HostedObjects,
  needs: HostedNeeds,
  reader: Reader,
): Promise<MachineEvidence> {
  if (!needs.machines && !needs.isDeleting) return noMachines
  const where = `in namespace ${namespace}`
  const all = { namespace }
  const [clusters, deployments, machines, healthChecks] = await Promise.all([
    needs.isDeleting ? reader.list(client, capi.Cluster, where, all) : [],
    reader.list(client, capi.MachineDeployment, where, all),
    reader.list(client, capi.Machine, where, all),
    reader.list(client, capi.MachineHealthCheck, where, all),
  ])
  return { clusters, deployments, machines, healthChecks }
}

function leavingNodes({ machines }: MachineEvidence): ReadonlySet<string> {
  return new Set(
    machines
      .filter(({ metadata, status }) => metadata.deletionTimestamp !== undefined && isFalse(status?.conditions, 'DrainingSucceeded'))
      .flatMap(({ status }) => status?.nodeRef?.name ?? []),
  )
}

/** The way into a guest is in a Secret beside its HostedCluster, for people. */
async function askGuest(
  { client, hostedCluster, id }: HostedObjects,
  questions: GuestQuestions,
  reader: Reader,
  { connect }: Means,
): Promise<GuestEvidence> {
  if (!questions.version && !questions.nodes) return noGuest
  const { namespace = '', name = '' } = hostedCluster.metadata
  if (connect === undefined) {
    reader.note(`Nodes and operators of ${id} were not looked at: there is no way into hosted clusters from here.`)
    return noGuest
  }
  const secretName = hostedCluster.status?.kubeconfig?.name ?? `${name}-admin-kubeconfig`
  const secret = await reader.find(client, Secret, `in namespace ${namespace}`, { namespace, name: secretName })
  const text = secret?.data?.['kubeconfig']
  if (text === undefined) {
    reader.note(`Nodes and operators of ${id} were not looked at: Secret ${namespace}/${secretName} has no kubeconfig of it.`)
    return noGuest
  }
  const guest = await reader.attempt(`the API of ${id}`, () => connect(Buffer.from(text, 'base64').toString(), id))
  if (guest === undefined) return noGuest
  try {
    return await gatherGuest(reader, guest, questions)
  } finally {
    await guest.close()
  }
}
