import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '@windlass/core'
import { isRecord } from '../json.ts'
import { asPullspec, type Digest } from '../pullspec/index.ts'
import type { BootImage, ReleaseContents } from '../release.ts'
import type { ReleaseShelf } from './cached-releases.ts'

export interface ReleaseFolderOptions {
  readonly path: string
  readonly random: Random
  /** Which of several images was looked into. Part of the name, so that resolvers for different ones can share a folder. */
  readonly variant: string
}

const format = 2

/**
 * Releases as files, one per digest, of some 40 KiB each. A file is whole or not there: it is written under another name first.
 *
 * Nothing is ever deleted: a fleet sees a few hundred releases in years.
 */
export class ReleaseFolder implements ReleaseShelf {
  readonly #options: ReleaseFolderOptions

  constructor(options: ReleaseFolderOptions) {
    this.#options = options
  }

  /** Undefined when it is not there, or not in the form that this version writes. */
  async load(digest: Digest): Promise<ReleaseContents | undefined> {
    let text: string
    try {
      text = await readFile(this.#fileOf(digest), 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
    return decode(text, digest)
  }

  async save(digest: Digest, contents: ReleaseContents): Promise<void> {
    const { path, random } = this.#options
    await mkdir(path, { recursive: true })
    const draft = join(path, `.${random.uuid()}.tmp`)
    try {
      const file = await open(draft, 'wx')
      try {
        await file.writeFile(encode(digest, contents))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, this.#fileOf(digest))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  #fileOf(digest: Digest): string {
    return join(this.#options.path, `${digest.replace(':', '-')}-${this.#options.variant}.json`)
  }
}

function encode(digest: Digest, { version, architecture, images, metadata, bootImages }: ReleaseContents): string {
  return JSON.stringify({ format, digest, version, architecture, images: Object.fromEntries(images), metadata, bootImages })
}

function decode(text: string, digest: Digest): ReleaseContents | undefined {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value) || value['format'] !== format || value['digest'] !== digest) return undefined
  const { version, architecture, images, metadata, bootImages } = value
  if (typeof version !== 'string' || typeof architecture !== 'string' || !isRecord(images) || !isRecord(metadata)) return undefined
  const { previous, url } = metadata
  return {
    version,
    architecture,
    images: new Map(Object.entries(images).map(([component, image]) => [component, asPullspec(String(image))])),
    metadata: {
      previous: Array.isArray(previous) ? previous.filter((entry) => typeof entry === 'string') : [],
      url: typeof url === 'string' ? url : undefined,
    },
    // Nobody else writes this file, in this format.
    ...(Array.isArray(bootImages) ? { bootImages: bootImages as readonly BootImage[] } : {}),
  }
}
