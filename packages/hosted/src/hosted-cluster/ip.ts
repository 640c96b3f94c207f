import { BlockList, isIP } from 'node:net'

/** A range of addresses, as in 10.132.0.0/14. */
export interface Cidr {
  readonly text: string
  /** The address before the slash, which need not be the first of the range. */
  readonly address: string
  readonly family: Family
  contains(address: string): boolean
}

export type Family = 'ipv4' | 'ipv6'

const widths: Readonly<Record<Family, number>> = { ipv4: 32, ipv6: 128 }

/** Undefined for a name, and for anything else that is no address. */
export function familyOf(address: string): Family | undefined {
  const version = isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}

/** Undefined for what is no range. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', digits = '', ...rest] = text.split('/')
  const family = familyOf(address)
  const prefix = /^\d{1,3}$/.test(digits) ? Number(digits) : Number.NaN
  if (family === undefined || rest.length > 0 || !(prefix <= widths[family])) return undefined
  const range = new BlockList()
  range.addSubnet(address, prefix, family)
  return { text, address, family, contains: (other) => familyOf(other) === family && range.check(other, family) }
}

/** Two ranges are apart, or one lies in the other: an address of each is enough to tell. */
export function overlap(a: Cidr, b: Cidr): boolean {
  return a.contains(b.address) || b.contains(a.address)
}
