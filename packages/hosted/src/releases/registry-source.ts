import {
  RegistryUnreachableError,
  type ReleaseError,
  ReleaseInvalidError,
  ReleaseNotFoundError,
  ReleaseUnauthorizedError,
} from './errors.ts'
import { isRecord, textOf } from './json.ts'
import { type Mirrors, noMirrors } from './mirrors/index.ts'
import { type ImageConfig, InvalidPayloadError, readReleaseFiles, releaseContents, releaseLabel, TarError } from './payload/index.ts'
import { canonicalPullspec, type Digest, type ImageReference, type Repository, repositoryPath } from './pullspec/index.ts'
import { choosePlatform, type ImageManifest, platformsOf, type RegistryClient, RegistryFailure } from './registry/index.ts'
import type { ReleaseContents, ResolveOptions } from './release.ts'
import type { LookupOptions, ReleaseSource } from './release-source.ts'

export interface RegistrySourceOptions {
  readonly client: RegistryClient
  readonly mirrors?: Mirrors
  /** Which image of several to look into; `amd64` unless told. All of them say the same about the release. */
  readonly architecture?: string
}

/** Configurations have a few kilobytes. */
const largestConfig = 4 * 1024 ** 2

/** A list of images may list lists; nobody needs more than one level of that. */
const deepestNesting = 2

/** Releases as registries have them. */
export class RegistrySource implements ReleaseSource {
  readonly #client: RegistryClient
  readonly #mirrors: Mirrors
  readonly #architecture: string

  constructor({ client, mirrors = noMirrors, architecture = 'amd64' }: RegistrySourceOptions) {
    this.#client = client
    this.#mirrors = mirrors
    this.#architecture = architecture
  }

  keyOf(reference: ImageReference, options: ResolveOptions): string {
    const places = this.#placesOf(reference, options)
    const shown = places.map((place) => `${repositoryPath(place)} ${options.pullSecret?.credentialFor(place)?.fingerprint ?? '-'}`)
    return [canonicalPullspec(reference), ...shown].join('\n')
  }

  async digestOf(reference: ImageReference, options: LookupOptions): Promise<Digest> {
    const { digest, tag = '' } = reference
    return digest ?? this.#anywhere(reference, options, (place) => this.#client.digestOfTag(place, tag, options))
  }

  read(reference: ImageReference, digest: Digest, options: LookupOptions): Promise<ReleaseContents> {
    return this.#anywhere(reference, options, async (place) => {
      const { manifest, isForSeveral } = await this.#imageAt(place, digest, options)
      const config = await this.#configOf(place, manifest, options)
      const files = await readReleaseFiles(manifest.layers.length, (index, read) => {
        const layer = manifest.layers[index]
        if (layer === undefined) throw new RangeError(`there is no layer ${index}`)
        return this.#client.readBlob(place, layer, options, read)
      })
      return releaseContents(files, config, isForSeveral)
    })
  }

  /** The version on the label of the image, without a look at its files; undefined when it has none. */
  async labelledVersion(reference: ImageReference, options: LookupOptions): Promise<string | undefined> {
    const digest = await this.digestOf(reference, options)
    return this.#anywhere(reference, options, async (place) => {
      const { manifest } = await this.#imageAt(place, digest, options)
      return releaseLabel(await this.#configOf(place, manifest, options))
    })
  }

  async #imageAt(place: Repository, digest: Digest, options: LookupOptions): Promise<{ manifest: ImageManifest; isForSeveral: boolean }> {
    let manifest = await this.#client.manifest(place, digest, options)
    let isForSeveral = false
    for (let depth = 0; manifest.kind === 'index'; depth++) {
      if (depth === deepestNesting) throw new RegistryFailure('unusable', 'its manifest lists lists of lists')
      isForSeveral ||= new Set(platformsOf(manifest.manifests)).size > 1
      const chosen = choosePlatform(manifest, this.#architecture)
      manifest = await this.#client.manifest(place, chosen.digest, options)
    }
    return { manifest, isForSeveral }
  }

  async #configOf(place: Repository, { config }: ImageManifest, options: LookupOptions): Promise<ImageConfig> {
    const bytes = await this.#client.blob(place, config, largestConfig, options)
    let value: unknown
    try {
      value = JSON.parse(bytes.toString())
    } catch (error) {
      throw new InvalidPayloadError('its configuration is not JSON', { cause: error })
    }
    const { architecture, config: settings } = isRecord(value) ? value : {}
    const labels = isRecord(settings) ? settings['Labels'] : undefined
    return { architecture: textOf(architecture), labels: isRecord(labels) ? labels : {} }
  }

  #placesOf(reference: ImageReference, { mirrors = this.#mirrors }: ResolveOptions): readonly Repository[] {
    return mirrors.placesOf(reference)
  }

  /** Asks one place after the other until one answers. */
  async #anywhere<T>(reference: ImageReference, options: LookupOptions, ask: (place: Repository) => Promise<T>): Promise<T> {
    const failures: RegistryFailure[] = []
    for (const place of this.#placesOf(reference, options)) {
      try {
        return await ask(place)
      } catch (error) {
        // The bytes were the right ones: what is wrong with them is wrong everywhere.
        if (error instanceof InvalidPayloadError || error instanceof TarError) {
          throw new ReleaseInvalidError(reference.text, `${error.message}. Name a release image.`, { cause: error })
        }
        if (!(error instanceof RegistryFailure)) throw error
        failures.push(error)
      }
    }
    throw failed(reference, failures)
  }
}

/**
 * What it means for a release that every place failed. One that could not be reached may have it: then nothing is known. Else the last one
 * decides, which is the source itself unless it must not be asked.
 */
function failed({ text }: ImageReference, failures: readonly RegistryFailure[]): ReleaseError {
  const messages = failures.map(({ message }) => message)
  const problem = messages.length === 1 ? messages.join() : `none of ${messages.length} places gives it: ${messages.join(' | ')}`
  const options: ErrorOptions = { cause: failures.length === 1 ? failures[0] : new AggregateError(failures, problem) }
  const unreachable = failures.filter(({ kind }) => kind === 'unreachable')
  if (unreachable.length > 0) {
    const waits = unreachable.flatMap(({ retryAfter }) => retryAfter ?? [])
    return new RegistryUnreachableError(text, problem, { ...options, retryAfter: waits.length === 0 ? undefined : Math.max(...waits) })
  }
  const kind = failures.at(-1)?.kind
  if (kind === 'not-found') return new ReleaseNotFoundError(text, `${problem}. Correct the name, or push the image.`, options)
  return kind === 'unauthorized' ? new ReleaseUnauthorizedError(text, problem, options) : new ReleaseInvalidError(text, problem, options)
}
