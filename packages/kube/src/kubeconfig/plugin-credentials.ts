import type { KubeConfig, User } from '@kubernetes/client-node'
import type { Credentials, Identity } from '../transport/credentials.ts'
import { fileProblem, KubeconfigError, systemCode } from './kubeconfig-error.ts'

/** A user as the official client describes one who logs in by a program or by OpenID Connect. */
export type PluginUser = Pick<User, 'name' | 'exec' | 'authProvider'>

export interface PluginCredentialsOptions {
  /** What does not come from the plugin: impersonation, a certificate. */
  readonly fixed: Identity
  readonly user: PluginUser
  /** For messages: `the kubeconfig /k: user u`. */
  readonly name: string
  /** What logs in, for messages: `the program aws`. */
  readonly what: string
  /** What to do when there is no such program. */
  readonly installHint?: string
}

/**
 * Logins that a program or an OpenID provider hands out, by the official client, which knows their protocols. It is loaded when the first such
 * login is needed: it is larger than everything else here together.
 *
 * It keeps a login until it expires; one that the server refuses is thrown away with the client that keeps it.
 */
export class PluginCredentials implements Credentials {
  readonly #options: PluginCredentialsOptions
  #config: KubeConfig | undefined
  #current: Identity | undefined
  #asking: Promise<Identity> | undefined

  constructor(options: PluginCredentialsOptions) {
    this.#options = options
  }

  /** Requests that come meanwhile wait for the same login: a program that opens a browser must not open twenty. */
  identity(): Promise<Identity> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined))
    return this.#asking
  }

  refused(identity: Identity): boolean {
    if (identity === this.#current) {
      this.#config = undefined
      this.#current = undefined
    }
    return true
  }

  async #ask(): Promise<Identity> {
    const { fixed, name, what } = this.#options
    const config = (this.#config ??= await this.#load())
    const given: Parameters<KubeConfig['applyToHTTPSOptions']>[0] = {}
    try {
      await config.applyToHTTPSOptions(given)
    } catch (error) {
      throw this.#failed(error)
    }
    const authorization = authorizationOf(given.headers)
    const certificate = textOf(given.cert)
    const key = textOf(given.key)
    if (authorization === undefined && (certificate === undefined || key === undefined)) {
      throw new KubeconfigError(`${name}: ${what} gave neither a token nor a certificate: log in again`)
    }
    const before = this.#current
    if (before !== undefined && before.headers['authorization'] === authorization && before.certificate === certificate) return before
    this.#current = {
      ...fixed,
      headers: authorization === undefined ? fixed.headers : { ...fixed.headers, authorization },
      ...(certificate === undefined || key === undefined ? {} : { certificate, key }),
    }
    return this.#current
  }

  async #load(): Promise<KubeConfig> {
    const { KubeConfig } = await import('@kubernetes/client-node')
    const { user } = this.#options
    const config = new KubeConfig()
    // Only the user matters. The cluster is never asked; without TLS it needs no files either.
    config.loadFromClusterAndUser({ name: 'unused', server: 'http://unused', skipTLSVerify: true }, { ...user })
    return config
  }

  #failed(error: unknown): KubeconfigError {
    const { name, what, installHint } = this.#options
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'EACCES') {
      const advice = installHint === undefined ? '' : `: ${firstLine(installHint)}`
      return new KubeconfigError(`${name}: ${what} cannot be started (${fileProblem(error)})${advice}`, { cause: error })
    }
    // What such errors say quotes the output, which is a secret.
    if (error instanceof SyntaxError || error instanceof TypeError) {
      return new KubeconfigError(`${name}: ${what} did not print an ExecCredential`)
    }
    const said = error instanceof Error ? lastLine(error.message) : String(error)
    return new KubeconfigError(`${name}: ${what} failed: ${said === '' ? 'it did not say why' : said}`)
  }
}

function authorizationOf(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null || !('Authorization' in headers)) return undefined
  return typeof headers.Authorization === 'string' ? headers.Authorization : undefined
}

function textOf(pem: unknown): string | undefined {
  if (typeof pem === 'string') return pem
  return Buffer.isBuffer(pem) ? pem.toString('utf8') : undefined
}

const longestQuote = 300

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, longestQuote)
}

/** Programs tell what went wrong last. */
function lastLine(text: string): string {
  return (text.trim().split('\n').at(-1) ?? '').slice(0, longestQuote)
}
