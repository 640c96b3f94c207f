import { isIP, isIPv4, isIPv6 } from 'node:net'
import { type FieldError, invalid } from '../../errors/field-error.ts'

export const isAddress = (text: string): boolean => isIP(text) !== 0

export type AddressFamily = 'IPv4' | 'IPv6'

export const familyOf = (address: string): AddressFamily => (isIPv6(address) ? 'IPv6' : 'IPv4')

export function addressErrors(text: string, field: string): readonly FieldError[] {
  return isAddress(text) ? [] : [invalid(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
}

export function cidrErrors(text: string, field: string): readonly FieldError[] {
  const [address = '', bits = ''] = text.split('/')
  const most = isIPv4(address) ? 32 : 128
  if (isAddress(address) && /^[0-9]{1,3}$/.test(bits) && Number(bits) <= most) return []
  return [invalid(field, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
}

/** Addresses that cannot be reached from elsewhere make no endpoints. */
export function specialAddressProblem(address: string): string | undefined {
  const lower = address.toLowerCase()
  if (address === '0.0.0.0' || lower === '::') return 'may not be unspecified (0.0.0.0 or ::)'
  if (address.startsWith('127.') || lower === '::1') return 'may not be in the loopback range (127.0.0.0/8, ::1/128)'
  if (address.startsWith('169.254.') || /^fe[89ab]/.test(lower)) return 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'
  if (address.startsWith('224.0.0.') || lower.startsWith('ff02:'))
    return 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'
  return undefined
}
