import { resolve } from 'node:path'
import type { Clock } from '@windlass/core'
import { type Credentials, fixedCredentials, type Identity } from '../transport/credentials.ts'
import type { TransportOptions } from '../transport/https.ts'
import { FileCredentials, type FileReference, readNamed } from './file-credentials.ts'
import { PluginCredentials } from './plugin-credentials.ts'
import { type PluginCluster, pluginOf } from './plugin-user.ts'
import { proxyFromEnvironment } from './proxy.ts'
import type { Section } from './section.ts'
import type { Surroundings } from './system.ts'

/** A cluster or a user, and the folder that paths in it start from; undefined where it may not name files or programs at all. */
export interface Entry {
  readonly section: Section
  readonly folder: string | undefined
}

export interface AccessOptions extends Surroundings {
  readonly clock: Clock
}

/** How to reach a cluster as a user; anonymously without one. Reads the authorities to trust; what may be rotated is read when it is needed. */
export async function accessTo(cluster: Entry, user: Entry | undefined, options: AccessOptions): Promise<TransportOptions> {
  const { section } = cluster
  const server = serverOf(section)
  const isInsecure = section.flag('insecure-skip-tls-verify')
  const ca = section.pem('certificate-authority') ?? (await textOf(fileOf(cluster, 'certificate-authority'), options))
  if (isInsecure && ca !== undefined) {
    throw section.broken('has both a certificate-authority and insecure-skip-tls-verify: remove the one that is not meant')
  }
  const serverName = section.text('tls-server-name')
  const proxy = proxyOf(section) ?? proxyFromEnvironment(new URL(server), options.env)
  const credentials = user === undefined ? undefined : credentialsOf(user, { section, ca }, options)
  return {
    server,
    isInsecure,
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { serverName }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(credentials === undefined ? {} : { credentials }),
  }
}

function serverOf(cluster: Section): string {
  const server = cluster.required('server')
  if (!/^https?:\/\/[^/]/.test(server) || !URL.canParse(server)) {
    throw cluster.broken(`has the server ${server}, which is no http or https address`)
  }
  const { username, password, search, hash } = new URL(server)
  if (username !== '' || password !== '') throw cluster.broken('has a server with a name or password in it: those belong to the user')
  if (search !== '' || hash !== '') throw cluster.broken(`has the server ${server}, which ends in more than a path`)
  return server
}

function proxyOf(cluster: Section): string | undefined {
  const proxy = cluster.text('proxy-url')
  if (proxy === undefined) return undefined
  if (!/^(https?|socks5):\/\//.test(proxy) || !URL.canParse(proxy)) {
    throw cluster.broken('has a proxy-url that is no http, https or socks5 address')
  }
  return proxy
}

function credentialsOf(user: Entry, cluster: PluginCluster, { readFile, clock }: AccessOptions): Credentials | undefined {
  const { section } = user
  if (section.has('username') || section.has('password')) {
    throw section.broken('logs in with a name and a password, which no Kubernetes API takes any more: use a token, a certificate or exec')
  }
  const token = section.text('token')
  const tokenFile = fileOf(user, 'tokenFile')
  const pair = certificateOf(user)
  const fixed: Identity = {
    headers: { ...impersonation(section), ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...pair.fixed,
  }
  const plugin = pluginFor(user, cluster)
  // As with kubectl: a token that is written down wins over one that would have to be fetched.
  if (plugin !== undefined && token === undefined && tokenFile === undefined) {
    return new PluginCredentials({ ...plugin, fixed, name: section.name })
  }
  const files = { ...pair.files, ...(tokenFile === undefined ? {} : { token: tokenFile }) }
  if (Object.keys(files).length > 0) return new FileCredentials({ fixed, ...files, readFile, clock })
  return Object.keys(fixed.headers).length === 0 && fixed.certificate === undefined ? undefined : fixedCredentials(fixed)
}

function pluginFor({ section, folder }: Entry, cluster: PluginCluster): ReturnType<typeof pluginOf> {
  if (folder !== undefined) return pluginOf(section, cluster, folder)
  for (const field of ['exec', 'auth-provider']) {
    if (section.has(field))
      throw section.broken(`logs in by ${field}, which is not done for a kubeconfig from there: use a token or a certificate`)
  }
  return undefined
}

/** The certificate that a user shows, with its key, each as text or in a file. */
function certificateOf(user: Entry): {
  readonly fixed: { readonly certificate?: string; readonly key?: string }
  readonly files: { readonly certificate?: FileReference; readonly key?: FileReference }
} {
  const { section } = user
  const certificate = section.pem('client-certificate')
  const key = section.pem('client-key')
  const certificateFile = certificate === undefined ? fileOf(user, 'client-certificate') : undefined
  const keyFile = key === undefined ? fileOf(user, 'client-key') : undefined
  const hasCertificate = certificate !== undefined || certificateFile !== undefined
  if (hasCertificate !== (key !== undefined || keyFile !== undefined)) {
    const [present, missing] = hasCertificate ? ['client-certificate', 'client-key'] : ['client-key', 'client-certificate']
    throw section.broken(`has a ${present} and no ${missing}: one is of no use without the other`)
  }
  return {
    fixed: { ...(certificate === undefined ? {} : { certificate }), ...(key === undefined ? {} : { key }) },
    files: {
      ...(certificateFile === undefined ? {} : { certificate: certificateFile }),
      ...(keyFile === undefined ? {} : { key: keyFile }),
    },
  }
}

/** Whom the user pretends to be, as headers. */
function impersonation(user: Section): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {}
  const name = user.text('as')
  const uid = user.text('as-uid')
  const groups = user.texts('as-groups')
  const extra = user.section('as-user-extra')
  if (name !== undefined) headers['impersonate-user'] = name
  if (uid !== undefined) headers['impersonate-uid'] = uid
  if (groups.length > 0) headers['impersonate-group'] = groups
  for (const key of extra.keys()) headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = extra.texts(key)
  if (name === undefined && Object.keys(headers).length > 0) {
    throw user.broken('has groups, a uid or extra fields to impersonate (as-…) and no user: set as')
  }
  return headers
}

function fileOf({ section, folder }: Entry, key: string): FileReference | undefined {
  const path = section.text(key)
  if (path === undefined) return undefined
  if (folder === undefined) {
    const instead = key === 'tokenFile' ? 'token' : `${key}-data`
    throw section.broken(`names a file as its ${key}, and there are none where it comes from: use ${instead}`)
  }
  return { path: resolve(folder, path), name: `${section.name}: the file ${path} of its ${key}` }
}

function textOf(file: FileReference | undefined, { readFile }: AccessOptions): Promise<string | undefined> {
  return file === undefined ? Promise.resolve(undefined) : readNamed(readFile, file)
}
