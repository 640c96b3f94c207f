import { readFileSync } from 'node:fs'
import { delimiter, dirname, resolve } from 'node:path'
import { load } from 'js-yaml'
import { Failure, fileProblem, systemCode } from '../failures.ts'

/** How to reach a server and how to be somebody there, by the current context of a kubeconfig. */
export interface Access {
  /** `https://127.0.0.1:6443`, perhaps with a path. */
  readonly server: string
  /** PEM. */
  readonly ca?: string
  readonly isInsecure: boolean
  /** The name to expect in the server's certificate, where it is not the one in the address. */
  readonly serverName?: string
  readonly token?: string
  /** PEM. */
  readonly certificate?: string
  readonly key?: string
}

/**
 * Reads a kubeconfig.
 *
 * # Errors
 *
 * `Failure`, with the file and what is wrong with it, when it is missing, no kubeconfig, or needs what we do not do: a program that logs in.
 */
export function readKubeconfig(file: string): Access {
  if (file.includes(delimiter)) throw new Failure(`KUBECONFIG names several files (${file}): choose one with --kubeconfig`)
  return parseKubeconfig(readText(file, `the kubeconfig ${file}`), file)
}

/** The text of a kubeconfig; `file` is where it came from: paths in it start from its folder. */
export function parseKubeconfig(content: string, file: string): Access {
  const config = new Section(parseYaml(content, file), `the kubeconfig ${file}`)
  const contextName = config.text('current-context')
  if (contextName === undefined) throw config.broken('has no current-context')
  const context = config.named('contexts', contextName, 'context')
  const cluster = config.named('clusters', context.required('cluster'), 'cluster')
  const user = config.named('users', context.required('user'), 'user')
  for (const unsupported of ['exec', 'auth-provider', 'username']) {
    if (user.has(unsupported)) throw user.broken(`logs in by ${unsupported}, which is not supported: use one with a token or a certificate`)
  }
  const folder = dirname(resolve(file))
  const server = cluster.required('server')
  if (!/^https?:\/\/[^/]/.test(server) || !URL.canParse(server))
    throw cluster.broken(`has the server ${server}, which is no http or https address`)
  return {
    server,
    isInsecure: cluster.flag('insecure-skip-tls-verify'),
    ...optional('ca', cluster.data('certificate-authority', folder)),
    ...optional('serverName', cluster.text('tls-server-name')),
    ...optional('token', user.text('token') ?? user.fileContent('tokenFile', folder)?.trim()),
    ...optional('certificate', user.data('client-certificate', folder)),
    ...optional('key', user.data('client-key', folder)),
  }
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  const entry: Partial<Record<K, string>> = {}
  if (value !== undefined) entry[key] = value
  return entry
}

function parseYaml(content: string, file: string): unknown {
  try {
    return load(content)
  } catch (error) {
    // Only the reason: the rest quotes lines of a file that holds secrets.
    const reason = error instanceof Error && 'reason' in error ? String(error.reason) : 'it cannot be parsed'
    throw new Failure(`the kubeconfig ${file} is no YAML: ${reason}`, { cause: error })
  }
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const advice = systemCode(error) === 'ENOENT' ? ': start a server first, or choose another with --kubeconfig' : ''
    throw new Failure(`${what} cannot be read (${fileProblem(error)})${advice}`, { cause: error })
  }
}

/** A mapping in the file that knows what it is called, for the sentences about what is wrong with it. */
class Section {
  readonly #entries: ReadonlyMap<string, unknown>
  readonly #name: string

  constructor(value: unknown, name: string) {
    this.#name = name
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.broken('is not a mapping')
    this.#entries = new Map(Object.entries(value))
  }

  broken(problem: string): Failure {
    return new Failure(`${this.#name} ${problem}`)
  }

  has(key: string): boolean {
    return (this.#entries.get(key) ?? undefined) !== undefined
  }

  /** Text under the key; absent and empty are the same. */
  text(key: string): string | undefined {
    const value = this.#entries.get(key) ?? ''
    if (typeof value !== 'string') throw this.broken(`has a ${key} that is no text`)
    return value === '' ? undefined : value
  }

  required(key: string): string {
    const value = this.text(key)
    if (value === undefined) throw this.broken(`has no ${key}`)
    return value
  }

  flag(key: string): boolean {
    return this.#entries.get(key) === true
  }

  /** The entry of a list of `{ name, <kind>: … }` that has the name. */
  named(list: string, name: string, kind: string): Section {
    const entries = this.#entries.get(list)
    if (!Array.isArray(entries)) throw this.broken(`has no ${list}`)
    for (const entry of entries as readonly unknown[]) {
      const section = new Section(entry, `${this.#name}: an entry of ${list}`)
      if (section.text('name') === name) return new Section(section.#entries.get(kind), `${this.#name}: ${kind} ${name}`)
    }
    throw this.broken(`has no ${kind} ${name}`)
  }

  /** PEM from `<key>-data` in base64 or, without that, from the file that `<key>` names. */
  data(key: string, folder: string): string | undefined {
    const encoded = this.text(`${key}-data`)
    if (encoded === undefined) return this.fileContent(key, folder)
    const decoded = Buffer.from(encoded, 'base64').toString()
    if (!decoded.includes('-----BEGIN ')) throw this.broken(`has a ${key}-data that is not PEM in base64`)
    return decoded
  }

  fileContent(key: string, folder: string): string | undefined {
    const path = this.text(key)
    return path === undefined ? undefined : readText(resolve(folder, path), `${this.#name}: the file ${path} of its ${key}`)
  }
}
