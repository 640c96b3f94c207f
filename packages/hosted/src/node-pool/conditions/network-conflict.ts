import { BlockList, isIP } from 'node:net'
import type { capi } from '@windlass/api'
import { machinesOf, type Seen } from '../seen.ts'
import { holds, type Outcome, removed } from './outcome.ts'

const longestMessage = 256

/** Machines whose addresses pods may have too: such a cluster looks broken in ways that lead nowhere. Said only when it is so. */
export function clusterNetworkConflict(seen: Seen): Outcome {
  const ranges = (seen.cluster.spec.networking.clusterNetwork ?? []).map(({ cidr }) => rangeOf(cidr))
  const collisions = machinesOf(seen).flatMap((machine) => collisionOf(machine, ranges) ?? [])
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
function collisionOf({ metadata: { name = '' }, status }: capi.Machine, ranges: readonly Range[]): string | undefined {
  const addresses = (status?.addresses ?? [])
    .map(({ address }) => address)
    .filter((address) => isIP(address) !== 0 && !linkLocal.some((range) => isWithin(address, range)))
  const found = addresses.map((address) => ({ address, range: ranges.find((range) => isWithin(address, range)) }))
  const [first] = found
  if (first?.range === undefined || found.some(({ range }) => range === undefined)) return undefined
  return `machine [${name}] with ip [${first.address}] collides with cluster-network cidr [${first.range.cidr}]`
}

/** To make a list is much dearer than to look into it. */
interface Range {
  readonly cidr: string
  /** As `isIP` has it. */
  readonly family: number
  readonly list: BlockList
}

function rangeOf(cidr: string): Range {
  const [network = '', prefix = ''] = cidr.split('/')
  const family = isIP(network)
  const list = new BlockList()
  if (family !== 0) list.addSubnet(network, Number(prefix), nameOf(family))
  return { cidr, family, list }
}

const linkLocal: readonly Range[] = ['169.254.0.0/16', 'fe80::/10'].map(rangeOf)

function isWithin(address: string, { family, list }: Range): boolean {
  return family !== 0 && family === isIP(address) && list.check(address, nameOf(family))
}

function nameOf(family: number): 'ipv4' | 'ipv6' {
  return family === 4 ? 'ipv4' : 'ipv6'
}
