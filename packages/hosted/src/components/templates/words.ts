import type { JsonObject, PolicyRule, ResourceRequirements } from '@windlass/api'
import { infraKubeconfigOf } from '../control-plane.ts'
import type { ContainerTemplate, Mount, ServiceTemplate, Settings } from './template.ts'

/** The words in which templates are written. */

/** `requests('10m', '50Mi')`; in the form in which the API server gives quantities back. */
export function requests(cpu: string, memory: string): ResourceRequirements {
  return { requests: { cpu, memory } }
}

/** A container that asks for this much. */
export function asks(cpu: string, memory: string, rest: Omit<ContainerTemplate, 'resources'> = {}): ContainerTemplate {
  return { resources: requests(cpu, memory), ...rest }
}

export interface ProbeOptions {
  readonly scheme?: 'HTTP' | 'HTTPS'
  readonly delay?: number
}

/** Whether an answer comes from this path. */
export function answers(path: string, port: number | string, { scheme = 'HTTPS', delay = 0 }: ProbeOptions = {}): JsonObject {
  return {
    httpGet: { path, port, scheme },
    ...(delay === 0 ? {} : { initialDelaySeconds: delay }),
    periodSeconds: 10,
    timeoutSeconds: 5,
    failureThreshold: 3,
  }
}

/** Alive and ready are the same thing for most. */
export function healthy(path: string, port: number | string, options: ProbeOptions = {}): Pick<ContainerTemplate, 'live' | 'ready'> {
  return { live: answers(path, port, { delay: 60, ...options }), ready: answers(path, port, options) }
}

export function secrets(...names: readonly string[]): readonly Mount[] {
  return names.map((name) => ({ volume: name, secret: name }))
}

/** How most components reach the API of the guest. */
export const guestKubeconfig: Mount = { volume: 'kubeconfig', secret: 'service-network-admin-kubeconfig' }

/** The same for those that live with Cluster API. */
export const infraKubeconfig: Mount = { volume: 'kubeconfig', secret: infraKubeconfigOf }

export function settings(configMap: string, fields: readonly string[], annotations: readonly string[] = []): Settings {
  return { configMap, fields, annotations }
}

/** A Service with one port. */
export function service(name: string, portName: string, port: number, to: number | string = portName): ServiceTemplate {
  return { name, ports: { [portName]: { port, to } } }
}

const read = ['get', 'list', 'watch']
const write = [...read, 'create', 'update', 'patch', 'delete']

const rule =
  (verbs: readonly string[]) =>
  (apiGroup: string, ...resources: readonly string[]): PolicyRule => ({ apiGroups: [apiGroup], resources, verbs })

export const mayRead = rule(read)
export const mayWrite = rule(write)
export const mayUpdate = rule([...read, 'update', 'patch'])

/** Only one of several replicas works at a time. */
export const mayLead = mayWrite('coordination.k8s.io', 'leases')
export const mayTell = rule(['create', 'patch', 'update'])('', 'events')
export const mayReadControlPlane = mayRead('hypershift.openshift.io', 'hostedcontrolplanes')
export const mayUpdateControlPlane = mayUpdate('hypershift.openshift.io', 'hostedcontrolplanes', 'hostedcontrolplanes/status')
