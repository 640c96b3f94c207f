import type {
  ClusterOperator,
  ClusterVersion,
  ControlPlaneComponent,
  HostedCluster,
  MachineConfig,
  MachineConfigPool,
  Node,
  NodePool,
} from '@windlass/api'
import {
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aControlPlaneComponent,
  aHostedCluster,
  aMachineConfig,
  aMachineConfigPool,
  aNode,
  aNodePool,
  aReleaseImage,
} from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import * as fc from 'fast-check'

/**
 * Whole objects as they come from servers, with all that may be missing or odd about them. Times are whole minutes before and after `noon`, so that a clock that stands
 * between two minutes never stands on a limit.
 */
export const noon = Date.UTC(2026, 2, 6, 12)

const minute = 60_000
const at = (minutes: number): string => formatTime(noon + minutes * minute)

const versions = [
  '4.17.9',
  '4.18.3',
  '4.18.20',
  '4.19.6',
  '4.19.19',
  '4.20.1',
  '4.20.3',
  '4.21.0-rc.1',
  '4.21.0',
  '4.22.8',
  '5.0.2',
] as const
const strangeVersions = ['3.11.4', 'unknown'] as const
const version = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...versions) },
  { weight: 1, arbitrary: fc.constantFrom(...strangeVersions) },
)

export const fixes = fc
  .subarray(['4.18.20', '4.19.19', '4.20.3', '4.21.0', '4.22.8', '5.0.2'], { minLength: 1 })
  .filter((all) => all.length > 0)

const time = fc.integer({ min: -300, max: 60 }).map(at)
const state = fc.constantFrom('Completed' as const, 'Partial' as const)

/** Only what the state calls for has an end; the version operator writes null. */
const update = fc.record({ state, version, startedTime: time, took: fc.integer({ min: 1, max: 200 }) })

type Update = typeof update extends fc.Arbitrary<infer U> ? U : never

function ended({ state: is, startedTime, took }: Update): string | undefined {
  return is === 'Completed' ? formatTime(Date.parse(startedTime) + took * minute) : undefined
}

const history = fc.array(update, { maxLength: 4 })

const condition = (type: string, statuses: readonly ('True' | 'False' | 'Unknown')[], reasons: readonly string[] = ['AsExpected']) =>
  fc.record({ status: fc.constantFrom(...statuses), reason: fc.constantFrom(...reasons), lastTransitionTime: time }).map((rest) => ({
    ...aCondition(type, rest.status, rest.reason, `${type} says ${rest.status}`),
    lastTransitionTime: rest.lastTransitionTime,
  }))

/** Blocked by a pause, or by something else; or on its way. */
const blocked = fc
  .tuple(condition('Progressing', ['False'], ['AsExpected', 'AsExpected', 'Blocked']), fc.boolean())
  .map(([each, isByPause]) => ({
    ...each,
    message: `${isByPause ? 'ReconciliationActive' : 'ValidReleaseImage'} condition is false: so it is`,
  }))

const progressing = fc.oneof(condition('Progressing', ['True'], ['Progressing']), blocked)

const clusterConditions = fc
  .subarray([0, 1, 2, 3, 4, 5])
  .chain((chosen) =>
    fc
      .tuple(
        condition('ReconciliationActive', ['True', 'True', 'False']),
        condition('Available', ['True', 'True', 'False']),
        condition('Degraded', ['False', 'False', 'True', 'Unknown']),
        condition('ValidConfiguration', ['True', 'True', 'True', 'False']),
        condition('ClusterVersionSucceeding', ['True', 'True', 'False']),
        progressing,
      )
      .map((all) => all.filter((_, index) => chosen.includes(index))),
  )

const deleted = fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: time })

export const clusterNames = ['a', 'b', 'c'] as const
export const namespaces = ['x', 'y'] as const
const place = fc.record({ namespace: fc.constantFrom(...namespaces), name: fc.constantFrom(...clusterNames) })

export const hostedCluster: fc.Arbitrary<HostedCluster> = fc
  .record({
    place,
    created: time,
    deleted,
    release: fc.constantFrom(...versions),
    status: fc.option(
      fc.record({
        conditions: clusterConditions,
        controlPlane: fc.option(fc.record({ desired: version, history }), { freq: 6 }),
        guest: fc.option(fc.record({ desired: version, history }), { freq: 6 }),
        followsHistory: fc.boolean(),
      }),
      { freq: 10 },
    ),
  })
  .map(({ place: { namespace, name }, created, deleted: gone, release, status }) =>
    withoutStatus(
      status === null,
      aHostedCluster({
        namespace,
        name,
        release,
        metadata: {
          creationTimestamp: created,
          labels: { team: name },
          ...(gone === undefined ? {} : { deletionTimestamp: gone, deletionGracePeriodSeconds: 0 }),
        },
        ...(status === null ? {} : { status: hostedStatus(status) }),
      }),
    ),
  )

interface RandomStatus {
  readonly conditions: NonNullable<NonNullable<HostedCluster['status']>['conditions']>
  readonly controlPlane: { readonly desired: string; readonly history: readonly Update[] } | null
  readonly guest: { readonly desired: string; readonly history: readonly Update[] } | null
  readonly followsHistory: boolean
}

function hostedStatus({ conditions, controlPlane, guest, followsHistory }: RandomStatus): NonNullable<HostedCluster['status']> {
  const release = (report: { readonly desired: string; readonly history: readonly Update[] }) => {
    const text = followsHistory ? (report.history[0]?.version ?? report.desired) : report.desired
    return { version: text, image: aReleaseImage(text) }
  }
  const entry = (each: Update) => ({
    state: each.state,
    version: each.version,
    image: aReleaseImage(each.version),
    startedTime: each.startedTime,
  })
  return {
    conditions,
    ...(controlPlane === null
      ? {}
      : {
          controlPlaneVersion: {
            desired: release(controlPlane),
            ...(controlPlane.history.length === 0
              ? {}
              : { history: controlPlane.history.map((each) => withEnd(entry(each), ended(each))) }),
            observedGeneration: 1,
          },
        }),
    ...(guest === null
      ? {}
      : {
          version: {
            desired: release(guest),
            history: guest.history.map((each) => ({ ...entry(each), completionTime: ended(each) ?? null, verified: false })),
            observedGeneration: 1,
            availableUpdates: null,
          },
        }),
  }
}

function withEnd<T extends object>(entry: T, completionTime: string | undefined): T | (T & { readonly completionTime: string }) {
  return completionTime === undefined ? entry : { ...entry, completionTime }
}

/** As an object is before anybody has looked after it. */
function withoutStatus<T extends { readonly status?: unknown }>(isMeant: boolean, object: T): T {
  if (!isMeant) return object
  const { status: _, ...rest } = object
  // A status may always be missing; TypeScript forgets that about a generic object.
  return rest as T
}

export const component: fc.Arbitrary<ControlPlaneComponent> = fc
  .record({
    place,
    name: fc.constantFrom('etcd', 'kube-apiserver', 'router'),
    deleted,
    status: fc.option(
      fc.record({
        version,
        rollout: condition('RolloutComplete', ['True', 'False'], ['AsExpected', 'WaitingForDependencies', 'ReconciliationError']),
      }),
      { freq: 8 },
    ),
  })
  .map(({ place: { namespace, name: cluster }, name, deleted: gone, status }) =>
    withoutStatus(
      status === null,
      aControlPlaneComponent({
        name,
        namespace: `${namespace}-${cluster}`,
        metadata: gone === undefined ? {} : { deletionTimestamp: gone },
        ...(status === null ? {} : { status: { version: status.version, observedGeneration: 1, conditions: [status.rollout] } }),
      }),
    ),
  )

const poolConditions = fc
  .subarray([0, 1, 2, 3])
  .chain((chosen) =>
    fc
      .tuple(
        condition('UpdatingVersion', ['True', 'False']),
        condition('UpdatingConfig', ['True', 'False', 'False']),
        condition('ReconciliationActive', ['True', 'False']),
        condition('ValidReleaseImage', ['True', 'True', 'False']),
      )
      .map((all) => all.filter((_, index) => chosen.includes(index))),
  )

const nodeVersions = fc.array(fc.record({ ocpVersion: version, readyNodeCount: fc.nat(4), unreadyNodeCount: fc.nat(2) }), {
  minLength: 1,
  maxLength: 2,
})

export const nodePool: fc.Arbitrary<NodePool> = fc
  .record({
    place,
    name: fc.constantFrom('p', 'q'),
    release: version,
    size: fc.oneof(
      fc.record({ replicas: fc.nat(3) }),
      fc.record({ autoScaling: fc.record({ min: fc.integer({ min: 1, max: 2 }), max: fc.constant(5) }) }),
    ),
    status: fc.option(
      fc.record({
        version: fc.option(version, { nil: undefined, freq: 5 }),
        replicas: fc.nat(4),
        nodes: fc.option(nodeVersions, { freq: 4 }),
        conditions: poolConditions,
      }),
      { freq: 8 },
    ),
  })
  .map(({ place: { namespace, name: cluster }, name, release, size, status }) => {
    const { spec, ...pool } = aNodePool({ namespace, name: `${cluster}-${name}`, release })
    const { replicas: _, ...rest } = spec
    const { status: __, ...bare } = pool
    const full = { ...bare, spec: { ...rest, clusterName: cluster, ...size } }
    if (status === null) return full
    const { version: running, replicas, nodes: told, conditions } = status
    return {
      ...full,
      status: {
        ...(running === undefined ? {} : { version: running }),
        replicas,
        conditions,
        ...(told === null ? {} : { nodesInfo: { nodeVersions: told.map((each) => ({ ...each, kubeletVersion: 'v1.33.1' })) } }),
      },
    }
  })

export const clusterVersion: fc.Arbitrary<ClusterVersion> = fc
  .record({ history, desired: fc.constantFrom(...versions) })
  .map(({ history: entries, desired }) => {
    const usual = aClusterVersion()
    const text = entries[0]?.version ?? desired
    const release = { version: text, image: aReleaseImage(text) }
    return aClusterVersion({
      status: {
        desired: release,
        observedGeneration: 1,
        versionHash: usual.status?.versionHash ?? '',
        availableUpdates: null,
        history: entries.map((each) => ({
          state: each.state,
          version: each.version,
          image: aReleaseImage(each.version),
          startedTime: each.startedTime,
          completionTime: ended(each) ?? null,
          verified: true,
        })),
      },
    })
  })

export const clusterOperator: fc.Arbitrary<ClusterOperator> = fc
  .record({ name: fc.constantFrom('dns', 'etcd'), available: condition('Available', ['True', 'True', 'False']) })
  .map(({ name, available }) => aClusterOperator({ name, status: { conditions: [available], versions: [] } }))

export const machineConfigPool: fc.Arbitrary<MachineConfigPool> = fc
  .record({
    name: fc.constantFrom('master', 'worker', 'infra'),
    paused: fc.boolean(),
    machineCount: fc.nat(3),
    conditions: fc.tuple(condition('Updated', ['True', 'False']), condition('Updating', ['True', 'False'])),
  })
  .map(({ name, paused, machineCount, conditions }) => aMachineConfigPool({ name, spec: { paused }, status: { machineCount, conditions } }))

export const machineConfig: fc.Arbitrary<MachineConfig> = fc
  .record({ name: fc.constantFrom('rendered-1', 'rendered-2'), version })
  .map(({ name, version: of }) =>
    aMachineConfig({ name, metadata: { annotations: { 'machineconfiguration.openshift.io/release-image-version': of } } }),
  )

export const node: fc.Arbitrary<Node> = fc
  .record({
    name: fc.constantFrom('n1', 'n2', 'n3'),
    config: fc.constantFrom('rendered-1', 'rendered-2', 'rendered-3'),
    ready: condition('Ready', ['True', 'False', 'Unknown']),
  })
  .map(({ name, config, ready }) =>
    aNode({
      name,
      metadata: { annotations: { 'machineconfiguration.openshift.io/currentConfig': config } },
      status: { conditions: [{ ...ready, lastHeartbeatTime: ready.lastTransitionTime }] },
    }),
  )
