import type { Container, HostedControlPlane, ResourceRequirements } from '@windlass/api'
import { canonicalQuantity } from './quantity.ts'
import { requestOverridePrefix } from './wire.ts'

/** What a container asks for that says nothing. */
const little: ResourceRequirements = { requests: { cpu: '10m', memory: '50Mi' } }

/** Requests by container that annotations of the control plane ask for, for one workload. */
export type RequestOverrides = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Reads `resource-request-override.hypershift.openshift.io/<workload>.<container>: cpu=1,memory=2Gi`. What is no quantity is left out. */
export function requestOverridesOf(hcp: HostedControlPlane, workload: string): RequestOverrides {
  const prefix = `${requestOverridePrefix}${workload}.`
  const overrides = new Map<string, Readonly<Record<string, string>>>()
  for (const [annotation, value] of Object.entries(hcp.metadata.annotations ?? {})) {
    if (annotation.startsWith(prefix)) overrides.set(annotation.slice(prefix.length), requestsOf(value))
  }
  return overrides
}

function requestsOf(value: string): Readonly<Record<string, string>> {
  const requests: Record<string, string> = {}
  for (const part of value.split(',')) {
    const [resource = '', amount = ''] = part.split('=', 2).map((text) => text.trim())
    const quantity = canonicalQuantity(amount)
    if (resource !== '' && quantity !== undefined) requests[resource] = quantity
  }
  return requests
}

/**
 * What a container asks for. What the live one asks for wins over the template, so that whoever tunes a control plane is left alone; an override
 * wins over both.
 */
export function resourcesOf(
  container: string,
  template: ResourceRequirements | undefined,
  live: readonly Container[],
  overrides: RequestOverrides,
): ResourceRequirements {
  const running = live.find(({ name }) => name === container)
  const resources = running === undefined ? (template ?? little) : (running.resources ?? {})
  const override = overrides.get(container)
  return override === undefined ? resources : { ...resources, requests: { ...resources.requests, ...override } }
}
