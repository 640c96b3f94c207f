import { EvaluationError } from '../errors.ts'
import { fn, method, type Overload } from '../overload.ts'
import { bool, int, opaque, string } from '../types.ts'
import { Opaque } from '../values.ts'
import { contains, ipText, isIpv4InIpv6, masked, parseIp, parseNetwork, type IpAddress, type Network } from './ip-address.ts'

class IpValue extends Opaque {
  readonly typeName = 'net.IP'
  readonly address: IpAddress

  constructor(address: IpAddress) {
    super()
    this.address = address
  }

  equals(other: Opaque): boolean {
    return other instanceof IpValue && other.address.family === this.address.family && other.address.bits === this.address.bits
  }

  toText(): string {
    return ipText(this.address)
  }
}

class CidrValue extends Opaque {
  readonly typeName = 'net.CIDR'
  readonly network: Network

  constructor(network: Network) {
    super()
    this.network = network
  }

  equals(other: Opaque): boolean {
    return other instanceof CidrValue && other.toText() === this.toText()
  }

  toText(): string {
    return `${ipText(this.network.address)}/${this.network.prefix}`
  }
}

function ipProblem(text: string): string | undefined {
  if (text.includes('%')) return `IP address ${JSON.stringify(text)} with zone value is not allowed`
  const address = parseIp(text)
  if (address === undefined) {
    return `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`
  }
  return isIpv4InIpv6(address) ? `IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed` : undefined
}

function toIp(text: string): IpValue {
  const problem = ipProblem(text)
  const address = problem === undefined ? parseIp(text) : undefined
  if (address === undefined) throw new EvaluationError(problem ?? text)
  return new IpValue(address)
}

function cidrOf(text: string): Network | undefined {
  const network = parseNetwork(text)
  return network === undefined || isIpv4InIpv6(network.address) ? undefined : network
}

function toCidr(text: string): CidrValue {
  const network = cidrOf(text)
  if (network === undefined) {
    const why = `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): no valid prefix`
    throw new EvaluationError(`network address parse error during conversion from string: ${why}`)
  }
  return new CidrValue(network)
}

const inside = (network: string): ((of: IpAddress) => boolean) => {
  const known = parseNetwork(network)
  return (address) => known !== undefined && contains(known, address)
}

const loopback = [inside('127.0.0.0/8'), inside('::1/128')]
const linkLocalMulticast = [inside('224.0.0.0/24'), inside('ff02::/16')]
const linkLocalUnicast = [inside('169.254.0.0/16'), inside('fe80::/10')]
const multicast = [inside('224.0.0.0/4'), inside('ff00::/8')]
const isAny = (tests: readonly ((of: IpAddress) => boolean)[], of: IpAddress): boolean => tests.some((test) => test(of))

function isGlobalUnicast(address: IpAddress): boolean {
  const isBroadcast = address.family === 4 && address.bits === 0xffffffffn
  return address.bits !== 0n && !isBroadcast && !isAny([...loopback, ...multicast, ...linkLocalUnicast], address)
}

function containsNetwork(outer: CidrValue, inner: CidrValue): boolean {
  return outer.network.prefix <= inner.network.prefix && contains(outer.network, inner.network.address)
}

const ip = opaque<IpValue>('net.IP')
const cidr = opaque<CidrValue>('net.CIDR')

export const addresses: readonly Overload[] = [
  fn('isIP', [string], bool, (x) => ipProblem(x) === undefined),
  fn('ip', [string], ip, toIp),
  fn('ip.isCanonical', [string], bool, (x) => toIp(x).toText() === x),
  method('family', [ip], int, (x) => BigInt(x.address.family)),
  method('isUnspecified', [ip], bool, (x) => x.address.bits === 0n),
  method('isLoopback', [ip], bool, (x) => isAny(loopback, x.address)),
  method('isLinkLocalMulticast', [ip], bool, (x) => isAny(linkLocalMulticast, x.address)),
  method('isLinkLocalUnicast', [ip], bool, (x) => isAny(linkLocalUnicast, x.address)),
  method('isGlobalUnicast', [ip], bool, (x) => isGlobalUnicast(x.address)),
  fn('string', [ip], string, (x) => x.toText()),

  fn('isCIDR', [string], bool, (x) => cidrOf(x) !== undefined),
  fn('cidr', [string], cidr, toCidr),
  method('containsIP', [cidr, ip], bool, (x, y) => contains(x.network, y.address)),
  method('containsIP', [cidr, string], bool, (x, y) => contains(x.network, toIp(y).address)),
  method('containsCIDR', [cidr, cidr], bool, containsNetwork),
  method('containsCIDR', [cidr, string], bool, (x, y) => containsNetwork(x, toCidr(y))),
  method('ip', [cidr], ip, (x) => new IpValue(x.network.address)),
  method('masked', [cidr], cidr, (x) => new CidrValue(masked(x.network))),
  method('prefixLength', [cidr], int, (x) => BigInt(x.network.prefix)),
  fn('string', [cidr], string, (x) => x.toText()),
]
