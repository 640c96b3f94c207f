import type { Clock } from '@windlass/core'
import type { Credentials, Identity } from '../transport/credentials.ts'
import { fileProblem, KubeconfigError } from './kubeconfig-error.ts'
import type { ReadFile } from './system.ts'

/** How often files are looked at. Tokens of pods are replaced long before they expire. */
const rereadPeriod = 10_000

/** A part of an identity that is in a file. */
export interface FileReference {
  readonly path: string
  /** For messages: `the kubeconfig /k: user u: the file t of its tokenFile`. */
  readonly name: string
}

export interface FileCredentialsOptions {
  /** What does not change. */
  readonly fixed: Identity
  readonly token?: FileReference
  readonly certificate?: FileReference
  readonly key?: FileReference
  readonly readFile: ReadFile
  readonly clock: Clock
}

/**
 * Tokens and certificates that something else puts into files and replaces there before they expire: read again now and then, and at once when
 * the server refuses what was read.
 *
 * A file that cannot be read any more is no reason to stop as long as the server takes what was in it last.
 */
export class FileCredentials implements Credentials {
  readonly #options: FileCredentialsOptions
  #current: Identity | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<Identity> | undefined

  constructor(options: FileCredentialsOptions) {
    this.#options = options
  }

  identity(): Identity | Promise<Identity> {
    if (this.#current !== undefined && this.#options.clock.monotonic() - this.#readAt < rereadPeriod) return this.#current
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  refused(identity: Identity): boolean {
    if (identity === this.#current) this.#readAt = Number.NEGATIVE_INFINITY
    return true
  }

  async #read(): Promise<Identity> {
    const { fixed, token, certificate, key, clock } = this.#options
    const previous = this.#current
    try {
      const [tokenText, certificateText, keyText] = await Promise.all([this.#text(token), this.#text(certificate), this.#text(key)])
      const next: Identity = {
        headers: tokenText === undefined ? fixed.headers : { ...fixed.headers, authorization: `Bearer ${tokenText.trim()}` },
        ...optional('certificate', certificateText ?? fixed.certificate),
        ...optional('key', keyText ?? fixed.key),
      }
      this.#current = previous !== undefined && isSame(previous, next) ? previous : next
    } catch (error) {
      if (previous === undefined) throw error
    }
    this.#readAt = clock.monotonic()
    return this.#current ?? fixed
  }

  async #text(file: FileReference | undefined): Promise<string | undefined> {
    if (file === undefined) return undefined
    const text = await readNamed(this.#options.readFile, file)
    if (text.trim() === '') throw new KubeconfigError(`${file.name} is empty`)
    return text
  }
}

/** The text of a file that a kubeconfig names. */
export async function readNamed(readFile: ReadFile, { path, name }: FileReference): Promise<string> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new KubeconfigError(`${name} cannot be read (${fileProblem(error)})`, { cause: error })
  }
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  const entry: Partial<Record<K, string>> = {}
  if (value !== undefined) entry[key] = value
  return entry
}

function isSame(a: Identity, b: Identity): boolean {
  return a.headers['authorization'] === b.headers['authorization'] && a.certificate === b.certificate && a.key === b.key
}
