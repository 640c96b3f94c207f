import { isIP } from 'node:net'

/** Leading zeros of IPv4 numbers are tolerated, as they always were in Kubernetes; zones are not addresses. */
function ipVersion(text: string): number {
  if (text.includes('%')) return 0
  const tail = text.lastIndexOf(':') + 1
  const plain = text.slice(tail).replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, ''))
  return isIP(text.includes('.') ? text.slice(0, tail) + plain : text)
}

function isIPv4(text: string): boolean {
  return text.includes('.') && ipVersion(text) !== 0
}

function isIPv6(text: string): boolean {
  return text.includes(':') && isIP(text) !== 0 && !text.includes('%')
}

function isCidr(text: string): boolean {
  const slash = text.indexOf('/')
  if (slash < 0) return false
  const version = ipVersion(text.slice(0, slash))
  const length = text.slice(slash + 1)
  return version !== 0 && /^\d+$/.test(length) && Number(length) <= (version === 4 ? 32 : 128)
}

const octetCounts: ReadonlySet<number> = new Set([6, 8, 20])
const macShapes = [/^[\da-f]{2}(?::[\da-f]{2})+$/i, /^[\da-f]{2}(?:-[\da-f]{2})+$/i, /^[\da-f]{4}(?:\.[\da-f]{4})+$/i]

function isMac(text: string): boolean {
  return macShapes.some((shape) => shape.test(text)) && octetCounts.has(text.replace(/[:.-]/g, '').length / 2)
}

/**
 * Two shapes: one label, in which a dash may only follow the first character, or labels and a top-level domain of letters. Symbols and
 * letters of all scripts count.
 */
const hostnameShape =
  /^(?:[\da-zA-Z\p{S}\p{L}]-?[\da-zA-Z\p{S}\p{L}]{0,62}|(?:[\da-zA-Z\p{S}\p{L}](?:[\da-zA-Z\p{S}\p{L}-]{0,61}[\da-zA-Z\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u

function isHostname(text: string): boolean {
  return Buffer.byteLength(text) <= 255 && text.split('.').every((label) => Buffer.byteLength(label) <= 63) && hostnameShape.test(text)
}

const atom = String.raw`[^\s()<>[\]:;@\\,".\x00-\x20\x7f]+`
const dotAtom = `${atom}(?:\\.${atom})*`
const quoted = String.raw`"(?:[^"\\]|\\.)*"`
const address = `(?:${dotAtom}|${quoted})@(?:${dotAtom}|\\[[^\\[\\]\\\\]*\\])`
const bareAddress = new RegExp(`^\\s*${address}\\s*$`, 'u')
const angleAddress = new RegExp(`<\\s*${address}\\s*>\\s*$`, 'u')
const quotedPart = new RegExp(quoted, 'gu')

/** A mail address, with or without a name before it: `Ann <ann@example.com>`. */
function isEmail(text: string): boolean {
  if (bareAddress.test(text)) return true
  const bracket = angleAddress.exec(text)
  return bracket !== null && !/[()<>[\]:;@\\,"]/.test(text.slice(0, bracket.index).replace(quotedPart, ''))
}

const scheme = /^[a-z][a-z\d+.-]*:/i
const userInfo = /^[\w.:~!$&'()*+,;=%@-]*$/
const hostName = /^(?:\[[^\]]*\]|[^:[\]]*)(?::\d*)?$/
const badHostCharacter = /[\s\\^`{|}#/?@]/
const badEscape = /%(?![\da-f]{2})/i

/** What may stand in the first line of an HTTP request: an absolute URI or an absolute path. */
function isRequestUri(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text) || text.startsWith(':')) return false
  if (text === '*') return true
  const prefix = scheme.exec(text)?.[0] ?? ''
  const rest = text.slice(prefix.length).split('?', 1)[0] ?? ''
  if (!rest.startsWith('/')) return prefix !== ''
  if (prefix === '' || !rest.startsWith('//')) return !badEscape.test(rest)
  const slash = rest.indexOf('/', 2)
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash)
  return isAuthority(authority) && (slash < 0 || !badEscape.test(rest.slice(slash)))
}

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@')
  const host = text.slice(at + 1)
  return userInfo.test(text.slice(0, Math.max(at, 0))) && hostName.test(host) && !badHostCharacter.test(host) && !badEscape.test(text)
}

export const networkFormats = {
  uri: isRequestUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: isMac,
}
