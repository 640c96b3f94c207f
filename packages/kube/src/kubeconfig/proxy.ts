import { BlockList, isIP } from 'node:net'
import type { Environment } from './system.ts'

/**
 * The proxy that the environment wants for a server, by the rules that curl and Go share: `HTTPS_PROXY` or `HTTP_PROXY`, but for what
 * `NO_PROXY` names and for this machine itself.
 */
export function proxyFromEnvironment(server: URL, env: Environment): string | undefined {
  const scheme = server.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = variable(env, scheme)
  if (proxy === undefined || isDirect(server, variable(env, 'no_proxy') ?? '')) return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

function variable(env: Environment, name: string): string | undefined {
  const value = env[name.toUpperCase()] ?? env[name] ?? ''
  return value === '' ? undefined : value
}

function isDirect(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port
  if (host === 'localhost' || isLoopback(host)) return true
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, host, port))
}

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return isIP(host) !== 0 && isInRange(entry, host)
  const [, name = entry, entryPort] = /^(.*[^:]):(\d+)$/.exec(entry) ?? []
  if (entryPort !== undefined && entryPort !== port) return false
  const domain = name.replace(/^\*?\./, '')
  return domain === host ? !/^\*?\./.test(name) || isIP(host) !== 0 : host.endsWith(`.${domain}`)
}

function isInRange(range: string, host: string): boolean {
  const [address = '', bits = ''] = range.split('/')
  const family = isIP(address)
  if (family === 0 || family !== isIP(host) || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const type = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(address, Number(bits), type)
  return list.check(host, type)
}
