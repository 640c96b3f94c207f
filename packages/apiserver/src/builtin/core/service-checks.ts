import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '../../errors/field-error.ts'
import type { JsonObject } from '../../json.ts'
import { dnsLabel, dnsSubdomain, labelSet, oneOf, oneOfIfSet, portNumber, portNumberOrName, protocols, qualifiedName } from '../checks.ts'
import { isAbsent, numberIn, objectIn, objectsIn, textIn, textsIn } from '../tree.ts'
import { addressErrors, cidrErrors, specialAddressProblem } from './addresses.ts'
import { isHeadless } from './service-addresses.ts'

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']

/**
 * What is wrong with a Service. Bad addresses of a new one are reported alone: a real server finds them while it hands out
 * addresses, before it looks at the rest.
 */
export function serviceErrors(spec: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const addresses = addressListErrors(spec)
  if (old === undefined && addresses.length > 0) return addresses
  const ports = objectsIn(spec.ports)
  return [
    ...(old === undefined ? [] : changedAddressErrors(spec, old)),
    ...(ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName' ? [required('spec.ports')] : []),
    ...typeErrors(spec),
    ...portErrors(ports),
    ...labelSet(spec.selector, 'spec.selector'),
    ...oneOf(spec.sessionAffinity, 'spec.sessionAffinity', ['ClientIP', 'None']),
    ...affinityErrors(spec),
    ...addresses,
    ...textsIn(spec.externalIPs).flatMap((address, index) => externalErrors(address, `spec.externalIPs[${index}]`)),
    ...oneOf(spec.type, 'spec.type', types),
    ...nodePortErrors(spec, ports),
    ...duplicatePortErrors(ports),
    ...loadBalancerErrors(spec),
    ...trafficErrors(spec),
  ]
}

function typeErrors(spec: JsonObject): readonly FieldError[] {
  const type = textIn(spec.type)
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    return [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
  }
  if (type !== 'ExternalName') return []
  const forbiddenFields = ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].filter((field) => !isAbsent(spec[field]))
  const name = textIn(spec.externalName).replace(/\.$/, '')
  return [
    ...forbiddenFields.map((field) => forbidden(`spec.${field}`, 'may not be set for ExternalName services')),
    ...(name === '' ? [required('spec.externalName')] : dnsSubdomain(name, 'spec.externalName')),
  ]
}

function portErrors(ports: readonly JsonObject[]): readonly FieldError[] {
  const names = new Set<string>()
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`
    const name = textIn(port.name)
    const errors: FieldError[] = []
    if (name === '') errors.push(...(ports.length > 1 ? [required(`${field}.name`)] : []))
    else errors.push(...dnsLabel(name, `${field}.name`), ...(names.has(name) ? [duplicate(`${field}.name`, name)] : []))
    names.add(name)
    errors.push(...portNumber(port.port, `${field}.port`), ...oneOf(port.protocol, `${field}.protocol`, protocols))
    errors.push(...portNumberOrName(port.targetPort, `${field}.targetPort`))
    if (!isAbsent(port.appProtocol)) errors.push(...qualifiedName(textIn(port.appProtocol), `${field}.appProtocol`))
    return errors
  })
}

function affinityErrors(spec: JsonObject): readonly FieldError[] {
  if (spec.sessionAffinity !== 'ClientIP') return []
  const seconds = numberIn(objectIn(objectIn(spec.sessionAffinityConfig).clientIP).timeoutSeconds)
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds'
  return seconds > 0 && seconds <= 86_400 ? [] : [invalid(field, seconds, 'must be greater than 0 and less than 86400')]
}

function addressListErrors(spec: JsonObject): readonly FieldError[] {
  const addresses = textsIn(spec.clusterIPs)
  const first = textIn(spec.clusterIP)
  if (addresses.length > 0 && first !== addresses[0]) return [invalid('spec.clusterIPs[0]', addresses[0] ?? '', 'must match `clusterIP`')]
  return addresses.flatMap((address, index) => {
    const field = `spec.clusterIPs[${index}]`
    if (address !== 'None') return addressErrors(address, field)
    return addresses.length > 1 ? [invalid('spec.clusterIPs', addresses, "'None' must be the first and only value")] : []
  })
}

function changedAddressErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const [now, before] = [textsIn(spec.clusterIPs), textsIn(old.clusterIPs)]
  if (spec.type === 'ExternalName' || old.type === 'ExternalName' || before.length === 0 || now[0] === before[0]) return []
  return [invalid('spec.clusterIPs[0]', now, 'may not change once set')]
}

function externalErrors(address: string, field: string): readonly FieldError[] {
  const errors = addressErrors(address, field)
  const special = errors.length > 0 ? undefined : specialAddressProblem(address)
  return special === undefined ? errors : [invalid(field, address, special)]
}

function nodePortErrors(spec: JsonObject, ports: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>()
  return ports.flatMap((port, index) => {
    const nodePort = numberIn(port.nodePort)
    if (nodePort === 0) return []
    const field = `spec.ports[${index}].nodePort`
    const identity = `${textIn(port.protocol)}:${nodePort}`
    const again = seen.has(identity) ? [duplicate(field, nodePort)] : []
    seen.add(identity)
    return [...(spec.type === 'ClusterIP' ? [forbidden(field, "may not be used when `type` is 'ClusterIP'")] : []), ...again]
  })
}

function duplicatePortErrors(ports: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>()
  return ports.flatMap(({ port, protocol }, index) => {
    const identity = `${textIn(protocol)}:${numberIn(port)}`
    const errors = seen.has(identity) ? [duplicate(`spec.ports[${index}]`, { protocol: textIn(protocol), port: numberIn(port) })] : []
    seen.add(identity)
    return errors
  })
}

function loadBalancerErrors(spec: JsonObject): readonly FieldError[] {
  const ranges = textsIn(spec.loadBalancerSourceRanges)
  const isBalanced = spec.type === 'LoadBalancer'
  const only = "may only be used when `type` is 'LoadBalancer'"
  return [
    ...(ranges.length > 0 && !isBalanced ? [forbidden('spec.LoadBalancerSourceRanges', only)] : []),
    ...ranges.flatMap((range, index) => cidrErrors(range.trim(), `spec.LoadBalancerSourceRanges[${index}]`)),
    ...(!isBalanced && !isAbsent(spec.allocateLoadBalancerNodePorts) ? [forbidden('spec.allocateLoadBalancerNodePorts', only)] : []),
  ]
}

function trafficErrors(spec: JsonObject): readonly FieldError[] {
  const isExposed = spec.type === 'NodePort' || spec.type === 'LoadBalancer' || textsIn(spec.externalIPs).length > 0
  const policy = textIn(spec.externalTrafficPolicy)
  const policies = ['Cluster', 'Local']
  const external =
    policy === ''
      ? []
      : !isExposed
        ? [invalid('spec.externalTrafficPolicy', policy, 'may only be set for externally-accessible services')]
        : []
  const unknown = policy === '' || policies.includes(policy) ? [] : [notSupported('spec.externalTrafficPolicy', policy, policies)]
  return [...external, ...unknown, ...oneOfIfSet(spec.internalTrafficPolicy, 'spec.internalTrafficPolicy', policies)]
}
