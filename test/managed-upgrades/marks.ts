import type { UpgradeConfig } from '@windlass/api'
import type { StepCondition } from '@windlass/upgrades'
import type { Passing } from '../support/guarded.ts'
import type { Service } from './stage.ts'

/** A request of the operator, and whom it is for. */
export interface Asked extends Passing {
  readonly service: Service | 'dependency'
}

/** What is known besides a request. */
export interface Known {
  readonly hasCommenced: boolean
  /** What a silence says of itself. */
  readonly commentOf: (id: string) => Promise<string>
}

/** By what a request shows that the operator is in a certain step. */
export interface Mark {
  readonly what: string
  readonly isIn: (asked: Asked, known: Known) => boolean | Promise<boolean>
}

/**
 * What each step asks of others, by its name: what it looks at where it only looks, its effect where it has one, and the record of that where there is one.
 * Nothing of it happens in any other step.
 */
export const marks: Readonly<Record<string, readonly Mark[]>> = {
  'Send started notification': [policyState('started'), notificationRecord('StateStarted')],
  'Delay check': [policyState('delayed'), notificationRecord('StateDelayed')],
  'Upgradeable check': [unfinished('IsClusterUpgradable')],
  'Pre-upgrade health check': [alertsQuery(false), serviceLog('healthcheck failure'), notificationRecord('StateHealthCheckSL')],
  'External dependency check': [{ what: 'the question to a dependency', isIn: ({ service }) => service === 'dependency' }],
  'Scale up': [machineSets('POST'), unfinished('ComputeCapacityReserved')],
  'Control-plane silence': [silence('for OSD control plane'), silence('for critical alerts')],
  Commence: [serviceLog('starting with control'), clusterVersion('desiredUpdate'), notificationRecord('StateControlPlaneStartedSL')],
  'Wait for control plane': [unfinished('ControlPlaneUpgraded'), serviceLog('finished control plane')],
  'End control-plane silence': [endOfSilence('control plane')],
  'Worker silence': [silence('for OSD worker node')],
  'Wait for workers': [unfinished('WorkerNodesUpgraded'), serviceLog('finished with worker plane')],
  'Scale down': [machineSets('DELETE'), unfinished('ComputeCapacityRemoved')],
  'End worker silence': [endOfSilence('worker node')],
  'Post-upgrade health check': [alertsQuery(true)],
  'FedRAMP tasks': [{ what: 'the update of the FileIntegrity', isIn: (asked) => isWrite(asked, '/fileintegrities/') }],
  'Send completed notification': [policyState('completed'), notificationRecord('StateCompleted')],
}

const upgradeConfigs = '/upgradeconfigs/managed-upgrade-config'

function isWrite({ service, method, path }: Asked, part: string): boolean {
  return service === 'api' && method !== 'GET' && path.includes(part)
}

function policyState(value: string): Mark {
  const text = JSON.stringify(value)
  return {
    what: `the state ${value} of the policy`,
    isIn: ({ service, method, body }) => service === 'ocm' && method === 'PATCH' && body.includes(`"value":${text}`),
  }
}

function serviceLog(summary: string): Mark {
  return {
    what: `the service log "${summary}"`,
    isIn: ({ service, method, body }) => service === 'ocm' && method === 'POST' && body.includes(summary),
  }
}

/** That it is due, for those of which that is written down, and else that it has been sent. */
function notificationRecord(state: string): Mark {
  return { what: `the record of ${state}`, isIn: (asked) => isWrite(asked, upgradeConfigs) && asked.body.includes(`/${state}`) }
}

/** A pass has ended in this step. */
function unfinished(type: StepCondition): Mark {
  return {
    what: `the record of ${type} False`,
    isIn: (asked) => isWrite(asked, `${upgradeConfigs}/status`) && statusOf(asked, type) === 'False',
  }
}

function statusOf({ body }: Asked, type: StepCondition): string | undefined {
  const { status } = JSON.parse(body) as Partial<Pick<UpgradeConfig, 'status'>>
  return status?.history?.[0]?.conditions?.find((condition) => condition.type === type)?.status
}

function alertsQuery(isAfterCommencement: boolean): Mark {
  return {
    what: `the question for alerts ${isAfterCommencement ? 'after' : 'before'} the update`,
    isIn: ({ service, path, body }, { hasCommenced }) =>
      service === 'prometheus' && `${path}${body}`.includes('ALERTS') && hasCommenced === isAfterCommencement,
  }
}

function machineSets(method: 'POST' | 'DELETE'): Mark {
  return { what: `${method} of a machine set`, isIn: (asked) => isWrite(asked, '/machinesets') && asked.method === method }
}

function clusterVersion(field: string): Mark {
  return { what: `${field} of the ClusterVersion`, isIn: (asked) => isCommencement(asked, field) }
}

/** Whether it tells the version operator where to go. */
export function isCommencement(asked: Asked, field = 'desiredUpdate'): boolean {
  return isWrite(asked, '/clusterversions/version') && asked.body.includes(`"${field}"`)
}

function silence(comment: string): Mark {
  return {
    what: `the silence "${comment}"`,
    isIn: ({ service, method, body }) => service === 'alertmanager' && method === 'POST' && body.includes(comment),
  }
}

function endOfSilence(comment: string): Mark {
  return {
    what: `the end of the silence of the ${comment}`,
    isIn: async ({ service, method, path }, { commentOf }) =>
      service === 'alertmanager' && method === 'DELETE' && (await commentOf(path.slice(path.lastIndexOf('/') + 1))).includes(comment),
  }
}
