import { BlockList, isIP } from 'node:net'
import type { capi } from '@windlass/api'
import { machinesOf, type Seen } from '../seen.ts'
import { holds, type Outcome, removed } from './outcome.ts'

const longestMessage = 256

/** Machines whose addresses pods may have too: such a cluster looks broken in ways that lead nowhere. Said only when it is so. */
export function clusterNetworkConflict(seen: Seen): Outcome {
  const cidrs = (seen.cluster.spec.networking.clusterNetwork ?? []).map(({ cidr }) => cidr)
  const collisions = machinesOf(seen).flatMap((machine) => collisionOf(machine, cidrs) ?? [])
  if (collisions.length === 0) return removed
  let message = ''
  for (const collision of collisions) {
    const longer = message === '' ? collision : `${message}, ${collision}`
    if (message !== '' && longer.length > longestMessage) return holds(`${message}, too many similar errors...`, 'InvalidConfiguration')
    message = longer
  }
  return holds(message, 'InvalidConfiguration')
}

/** One address outside is enough for a machine to be reached. */
function collisionOf({ metadata: { name = '' }, status }: capi.Machine, cidrs: readonly string[]): string | undefined {
  const addresses = (status?.addresses ?? [])
    .map(({ address }) => address)
    .filter((address) => isIP(address) !== 0 && !isLinkLocal(address))
  const found = addresses.map((address) => ({ address, cidr: cidrs.find((cidr) => isWithin(address, cidr)) }))
  const [first] = found
  if (first?.cidr === undefined || found.some(({ cidr }) => cidr === undefined)) return undefined
  return `machine [${name}] with ip [${first.address}] collides with cluster-network cidr [${first.cidr}]`
}

function isLinkLocal(address: string): boolean {
  return isWithin(address, '169.254.0.0/16') || isWithin(address, 'fe80::/10')
}

function isWithin(address: string, cidr: string): boolean {
  const [network = '', prefix = ''] = cidr.split('/')
  const family = isIP(network)
  if (family === 0 || family !== isIP(address)) return false
  const range = new BlockList()
  const name = family === 4 ? 'ipv4' : 'ipv6'
  range.addSubnet(network, Number(prefix), name)
  return range.check(address, name)
}
