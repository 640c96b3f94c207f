/** IP addresses and networks as numbers, parsed as strictly as Kubernetes' CEL library does. */
export interface IpAddress {
  readonly family: 4 | 6
  readonly bits: bigint
}

/** Undefined for anything but a plain address: no zones, no leading zeros. */
export function parseIp(text: string): IpAddress | undefined {
  if (text.includes(':')) return parseIpv6(text)
  const bits = parseIpv4(text)
  return bits === undefined ? undefined : { family: 4, bits }
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let bits = 0n
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    bits = (bits << 8n) | BigInt(part)
  }
  return bits
}

function parseIpv6(text: string): IpAddress | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = [groups(halves[0] ?? '', halves.length === 1), halves[1] === undefined ? [] : groups(halves[1], true)]
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const all = [...head, ...Array.from({ length: Math.max(0, missing) }, () => 0n), ...tail]
  return { family: 6, bits: all.reduce((bits, group) => (bits << 16n) | group, 0n) }
}

/** The 16-bit groups of one side of `::`; an IPv4 address may end the address. */
function groups(text: string, mayEndInIpv4: boolean): bigint[] | undefined {
  if (text === '') return []
  const found: bigint[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const bits = mayEndInIpv4 && index === parts.length - 1 ? parseIpv4(part) : undefined
      if (bits === undefined) return undefined
      found.push(bits >> 16n, bits & 0xffffn)
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) found.push(BigInt(`0x${part}`))
    else return undefined
  }
  return found
}

export const isIpv4InIpv6 = ({ family, bits }: IpAddress): boolean => family === 6 && bits >> 32n === 0xffffn

/** The one canonical form (RFC 5952). */
export function ipText({ family, bits }: IpAddress): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.')
  const parts = Array.from({ length: 8 }, (_, index) => (bits >> BigInt(112 - 16 * index)) & 0xffffn)
  const { start, length } = longestZeros(parts)
  return length < 2 ? hex(parts) : `${hex(parts.slice(0, start))}::${hex(parts.slice(start + length))}`
}

const hex = (parts: readonly bigint[]): string => parts.map((part) => part.toString(16)).join(':')

function longestZeros(parts: readonly bigint[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < parts.length; start++) {
    let end = start
    while (end < parts.length && parts[end] === 0n) end++
    if (end - start > best.length) best = { start, length: end - start }
  }
  return best
}

export interface Network {
  readonly address: IpAddress
  readonly prefix: number
}

export function parseNetwork(text: string): Network | undefined {
  const slash = text.lastIndexOf('/')
  const address = slash < 0 ? undefined : parseIp(text.slice(0, slash))
  const length = text.slice(slash + 1)
  if (address === undefined || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined
  const prefix = Number(length)
  return prefix > width(address) ? undefined : { address, prefix }
}

export const width = (address: IpAddress): number => (address.family === 4 ? 32 : 128)

/** The address with the bits behind the prefix cleared. */
export function masked({ address, prefix }: Network): Network {
  const hostBits = BigInt(width(address) - prefix)
  return { address: { family: address.family, bits: (address.bits >> hostBits) << hostBits }, prefix }
}

export function contains(network: Network, address: IpAddress): boolean {
  if (network.address.family !== address.family) return false
  const hostBits = BigInt(width(address) - network.prefix)
  return network.address.bits >> hostBits === address.bits >> hostBits
}
