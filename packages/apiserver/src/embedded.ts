import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, type Random, systemClock, systemRandom } from '@windlass/core'
import { adminToken, type Credentials, type CredentialStore, ensureCredentials, kubeconfig, type StaticToken } from './auth/index.ts'
import { type Listener, listen } from './http/index.ts'
import type { JsonObject } from './json.ts'
import { ApiServer } from './server/index.ts'
import { type Durability, openLmdbStore, openMemoryStore, openSqliteStore, type Store, StoreError } from './storage/index.ts'

export interface EmbeddedOptions {
  /** Where objects and credentials are kept. Without it everything is in memory and gone in the end. */
  readonly directory?: string
  /** LMDB unless told otherwise; SQLite needs no native code. */
  readonly engine?: 'lmdb' | 'sqlite'
  /** `relaxed` answers before data is on disk: for load tests and simulation only. */
  readonly durability?: Durability
  readonly host?: string
  /** 0, the default, picks a free one. */
  readonly port?: number
  /** Plain HTTP instead of TLS. */
  readonly isPlain?: boolean
  /** Users besides the admin. */
  readonly tokens?: readonly StaticToken[]
  /** CustomResourceDefinitions to start with. */
  readonly definitions?: readonly JsonObject[]
  /** Shown in `/version`. */
  readonly version?: string
  readonly clock?: Clock
  readonly random?: Random
  readonly onProblem?: (problem: string, error: unknown) => void
}

/** A server that runs in this process, with its port open. */
export interface Embedded {
  readonly server: ApiServer
  /** `https://127.0.0.1:40123` */
  readonly url: string
  readonly port: number
  /** PEM of the authority that clients trust; empty with plain HTTP. */
  readonly ca: string
  readonly adminToken: string
  /** For an administrator of everything. */
  readonly kubeconfig: string
  /** Lets running requests finish, ends watches, closes port and store. */
  close(): Promise<void>
}

/**
 * Starts a Kubernetes API in this process: store, credentials, controllers, port.
 *
 * # Errors
 *
 * `StoreError` when the folder cannot be used, `CredentialError` when a stored credential is damaged, Node's own error (`EADDRINUSE`,
 * `EACCES`) when the port cannot be opened.
 */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<Embedded> {
  const { clock = systemClock, random = systemRandom, host = '127.0.0.1' } = options
  const store = await openStore(options)
  let server: ApiServer | undefined
  let listener: Listener | undefined
  try {
    const credentials = ensureCredentials(credentialFiles(options.directory), { random, now: clock.now(), names: [host] })
    let url = ''
    server = await ApiServer.start({
      store,
      clock,
      random,
      authentication: { tokens: [adminToken(credentials.adminToken), ...(options.tokens ?? [])], tokenKey: credentials.tokenKey },
      version: options.version ?? '0.0.0',
      ...(options.definitions === undefined ? {} : { definitions: options.definitions }),
      ...(options.onProblem === undefined ? {} : { onProblem: options.onProblem }),
      access: (cluster, uid) => {
        if (url === '' || server === undefined) return undefined
        const token = server.authenticator.issueClusterToken({
          cluster,
          clusterUid: uid,
          user: 'admin',
          groups: ['system:masters'],
          id: random.uuid(),
          now: clock.now(),
        })
        const address = `${url}/clusters/${cluster}`
        return { url: address, kubeconfig: kubeconfig({ server: address, token, cluster, ...trust(credentials, options) }) }
      },
    })
    const tls = { key: credentials.server.key, cert: credentials.server.certificate, ca: credentials.ca }
    listener = await listen(server, { host, port: options.port ?? 0, clock, ...(options.isPlain === true ? {} : { tls }) })
    url = `${options.isPlain === true ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${listener.port}`
    server.reachable()
    return embedded(server, listener, url, credentials, options)
  } catch (error) {
    await listener?.close()
    if (server === undefined) await store.close()
    else await server.stop()
    throw error
  }
}

function trust(credentials: Credentials, options: EmbeddedOptions): { ca: string } | { insecure: true } {
  return options.isPlain === true ? { insecure: true } : { ca: credentials.ca }
}

function embedded(server: ApiServer, listener: Listener, url: string, credentials: Credentials, options: EmbeddedOptions): Embedded {
  const admin = { clientCertificate: credentials.admin.certificate, clientKey: credentials.admin.key }
  return {
    server,
    url,
    port: listener.port,
    ca: options.isPlain === true ? '' : credentials.ca,
    adminToken: credentials.adminToken,
    kubeconfig: kubeconfig({
      server: url,
      token: credentials.adminToken,
      ...trust(credentials, options),
      ...(options.isPlain === true ? {} : admin),
    }),
    async close() {
      server.drain()
      await listener.close()
      await server.stop()
    },
  }
}

function openStore({ directory, engine = 'lmdb', durability = 'full' }: EmbeddedOptions): Store | Promise<Store> {
  if (directory === undefined) return openMemoryStore()
  return engine === 'lmdb' ? openLmdbStore({ directory, durability }) : openSqliteStore({ directory, durability })
}

/** Keys and certificates beside the data, readable by their owner alone. */
function credentialFiles(directory: string | undefined): CredentialStore {
  if (directory === undefined) {
    const files = new Map<string, Buffer>()
    return { load: (name) => files.get(name), save: (name, bytes) => void files.set(name, bytes) }
  }
  const folder = join(directory, 'pki')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StoreError(`cannot create ${folder}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  return {
    load(name) {
      try {
        return readFileSync(join(folder, name))
      } catch {
        return undefined
      }
    },
    save: (name, bytes) => writeFileSync(join(folder, name), bytes, { mode: 0o600 }),
  }
}
