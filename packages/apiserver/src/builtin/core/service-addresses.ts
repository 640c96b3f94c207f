import type { Random } from '@windlass/core'
import { equalJson, type JsonObject } from '../../json.ts'
import { changeItems, fill, isAbsent, numberIn, objectIn, objectsIn, put, textIn, textsIn } from '../tree.ts'
import { familyOf, isAddress } from './addresses.ts'

/**
 * Addresses and ports that a Service is given. They are drawn from ranges so wide (a million addresses, 2,768 ports) that nobody
 * keeps a list of those in use: no packet is ever sent to them here.
 */
const headless = 'None'
const firstNodePort = 30_000
const lastNodePort = 32_767

const needsAddress = (spec: JsonObject): boolean => ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(textIn(spec.type))

const needsNodePorts = (spec: JsonObject): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)

export const isHeadless = (spec: JsonObject): boolean => textsIn(spec.clusterIPs)[0] === headless

/** Fills in what the client left to the server. */
export function allocate(spec: JsonObject, random: Random): JsonObject {
  if (!needsAddress(spec)) return spec
  const named = consistentAddresses(spec)
  const addressed = textsIn(named.clusterIPs).length > 0 ? named : withAddress(named, clusterAddress(random))
  const placed = fill(addressed, families(addressed))
  if (!needsNodePorts(placed)) return placed
  return changeItems(placed, 'ports', (port) =>
    numberIn(port.nodePort) > 0 ? port : put(port, 'nodePort', firstNodePort + random.below(lastNodePort - firstNodePort + 1)),
  )
}

/** `clusterIP` is the first of `clusterIPs`; who writes one means both. */
function consistentAddresses(spec: JsonObject): JsonObject {
  const [single, several] = [textIn(spec.clusterIP), textsIn(spec.clusterIPs)]
  if (several.length === 0) return single === '' ? spec : put(spec, 'clusterIPs', [single])
  return single === '' ? put(spec, 'clusterIP', several[0] ?? '') : spec
}

const withAddress = (spec: JsonObject, address: string): JsonObject => ({ ...spec, clusterIP: address, clusterIPs: [address] })

/** Somewhere in 10.96.0.0/12, but not at either end of it. */
function clusterAddress(random: Random): string {
  const host = 1 + random.below(2 ** 20 - 2)
  return `10.${96 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`
}

function families(spec: JsonObject): JsonObject {
  const hasSelector = Object.keys(objectIn(spec.selector)).length > 0
  // Nobody but its owner knows the addresses of a headless service without selector: it may have both kinds.
  if (isHeadless(spec) && !hasSelector) return { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' }
  const address = textsIn(spec.clusterIPs)[0] ?? ''
  return { ipFamilies: [isAddress(address) ? familyOf(address) : 'IPv4'], ipFamilyPolicy: 'SingleStack' }
}

/** An update that says nothing about addresses and ports keeps those the service has. */
export function keepAllocated(spec: JsonObject, old: JsonObject): JsonObject {
  if (!needsAddress(spec)) return released(spec, old)
  if (!needsAddress(old)) return spec
  const followed = followChange(spec, old)
  const placed = textIn(followed.clusterIP) === '' && textsIn(followed.clusterIPs).length === 0 ? takeOver(followed, old) : followed
  const kept = fill(placed, pick(old, ['ipFamilies', 'ipFamilyPolicy']))
  if (!needsNodePorts(old)) return kept
  return needsNodePorts(kept)
    ? changeItems(kept, 'ports', (port) => withOldNodePort(port, old))
    : changeItems(kept, 'ports', (port) => withoutOldNodePort(port, old))
}

/** Whoever changes only the short form means the list too. */
function followChange(spec: JsonObject, old: JsonObject): JsonObject {
  const changed = textIn(spec.clusterIP)
  if (changed === '' || changed === textIn(old.clusterIP) || !equalJson(spec.clusterIPs, old.clusterIPs)) return spec
  return put(spec, 'clusterIPs', [changed, ...textsIn(spec.clusterIPs).slice(1)])
}

const takeOver = (spec: JsonObject, old: JsonObject): JsonObject => ({ ...spec, ...pick(old, ['clusterIP', 'clusterIPs']) })

function pick(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.flatMap((field) => (isAbsent(object[field]) ? [] : [[field, object[field] ?? null]])))
}

/** What an update to a type without address leaves behind unasked goes. */
function released(spec: JsonObject, old: JsonObject): JsonObject {
  let result = spec
  for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy', 'externalTrafficPolicy']) {
    if (equalJson(result[field], old[field])) result = put(result, field, undefined)
  }
  return result
}

function oldPortOf(port: JsonObject, old: JsonObject): JsonObject | undefined {
  return objectsIn(old.ports).find((each) => each.protocol === port.protocol && each.port === port.port)
}

function withOldNodePort(port: JsonObject, old: JsonObject): JsonObject {
  const before = numberIn(oldPortOf(port, old)?.nodePort)
  return numberIn(port.nodePort) === 0 && before > 0 ? put(port, 'nodePort', before) : port
}

function withoutOldNodePort(port: JsonObject, old: JsonObject): JsonObject {
  return numberIn(port.nodePort) === numberIn(oldPortOf(port, old)?.nodePort) ? put(port, 'nodePort', undefined) : port
}
