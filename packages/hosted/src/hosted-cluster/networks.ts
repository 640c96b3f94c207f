import type { HostedCluster } from '@windlass/api'
import { familyOf, overlap, parseCidr } from './ip.ts'
import type { Cidr } from './ip.ts'
import { textAt } from './unmodelled.ts'

type Networking = HostedCluster['spec']['networking']

/** Where the API server tells nodes to find it, unless told. */
const defaultAdvertiseAddress = { ipv4: '172.20.0.1', ipv6: 'fd00::1' }

const defaultNodePorts = '30000-32767'

interface Range {
  readonly field: string
  readonly cidr: Cidr
}

/** By spec: it seldom changes, every pass asks, and to look into ranges of addresses is slow. */
const known = new WeakMap<HostedCluster['spec'], readonly string[]>()

/** What is wrong with the networks of a cluster, all of it. */
export function networkProblems({ spec }: HostedCluster): readonly string[] {
  const before = known.get(spec)
  if (before !== undefined) return before
  const problems = problemsIn(spec)
  known.set(spec, problems)
  return problems
}

function problemsIn(spec: HostedCluster['spec']): readonly string[] {
  const ranges: Range[] = []
  const problems: string[] = []
  for (const field of ['machineNetwork', 'serviceNetwork', 'clusterNetwork'] as const) {
    for (const { cidr: text } of spec.networking[field] ?? []) {
      const cidr = parseCidr(text)
      if (cidr === undefined) problems.push(`spec.networking.${field}: "${text}" is no range of addresses, as in 10.0.0.0/16`)
      else ranges.push({ field, cidr })
    }
  }
  return [
    ...problems,
    ...familyProblems(spec.networking, ranges),
    ...overlapProblems(ranges),
    ...advertiseProblems(spec.networking, ranges),
    ...nodePortProblems(spec, ranges),
  ]
}

/** The first of each kind is the primary one; all primary ones must speak the same protocol. */
function familyProblems(networking: Networking, ranges: readonly Range[]): readonly string[] {
  const primary = ['clusterNetwork', 'serviceNetwork', 'machineNetwork'].flatMap((field) => {
    const range = ranges.find((each) => each.field === field)
    return range === undefined ? [] : [{ field, address: range.cidr.address }]
  })
  const { advertiseAddress } = networking.apiServer ?? {}
  const addresses =
    advertiseAddress === undefined ? primary : [...primary, { field: 'apiServer.advertiseAddress', address: advertiseAddress }]
  const unreadable = addresses.filter(({ address }) => familyOf(address) === undefined)
  if (unreadable.length > 0) return unreadable.map(({ field, address }) => `spec.networking.${field}: "${address}" is no IP address`)
  if (new Set(addresses.map(({ address }) => familyOf(address))).size <= 1) return []
  const shown = addresses.map(({ field, address }) => `${field} ${address}`).join(', ')
  return [`spec.networking: IPv4 and IPv6 are mixed among the primary networks (${shown}); the first entries must be of one kind`]
}

function overlapProblems(ranges: readonly Range[]): readonly string[] {
  return ranges.flatMap((a, index) =>
    ranges
      .slice(index + 1)
      .filter((b) => overlap(a.cidr, b.cidr))
      .map((b) => `spec.networking: ${a.field} ${a.cidr.text} and ${b.field} ${b.cidr.text} overlap`),
  )
}

function advertiseProblems(networking: Networking, ranges: readonly Range[]): readonly string[] {
  const first = ranges.find(({ field }) => field === 'clusterNetwork')
  const address = networking.apiServer?.advertiseAddress ?? defaultAdvertiseAddress[first?.cidr.family ?? 'ipv4']
  return ranges
    .filter(({ cidr }) => cidr.contains(address))
    .map(({ field, cidr }) => `spec.networking: ${field} ${cidr.text} contains ${address}, at which nodes find the API server`)
}

function nodePortProblems({ services, configuration }: HostedCluster['spec'], ranges: readonly Range[]): readonly string[] {
  const nodePort = services.find(({ service }) => service === 'APIServer')?.servicePublishingStrategy.nodePort
  if (nodePort === undefined) return []
  const { address, port = 0 } = nodePort
  const inside = ranges
    .filter(({ field, cidr }) => field === 'serviceNetwork' && cidr.contains(address))
    .map(({ cidr }) => `spec.services: the node port address ${address} of APIServer lies in the service network ${cidr.text}`)
  return [...inside, ...portProblem(port, textAt(configuration, 'network', 'serviceNodePortRange') ?? defaultNodePorts)]
}

function portProblem(port: number, range: string): readonly string[] {
  const [, low, high] = /^(\d+)-(\d+)$/.exec(range) ?? []
  if (low === undefined || high === undefined || Number(low) > Number(high)) {
    return [`spec.configuration.network.serviceNodePortRange: "${range}" is no range of ports, as in ${defaultNodePorts}`]
  }
  if (port <= 0 || (port >= Number(low) && port <= Number(high))) return []
  return [`spec.services: the node port ${port} of APIServer is outside of ${range}; leave it out to have one chosen`]
}
