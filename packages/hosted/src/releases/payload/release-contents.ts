import { tryParseVersion } from '@windlass/core'
import { isRecord, type JsonRecord } from '../json.ts'
import { asPullspec, InvalidPullspecError, type Pullspec } from '../pullspec/index.ts'
import type { ReleaseContents, ReleaseMetadata } from '../release.ts'
import { bootImagesIn } from './boot-images.ts'
import type { ReleaseFiles } from './release-files.ts'

/** As much of an image's configuration as matters here. */
export interface ImageConfig {
  readonly architecture: string
  readonly labels: JsonRecord
}

/** Thrown when an image is no release, or contradicts itself. */
export class InvalidPayloadError extends Error {
  override readonly name = 'InvalidPayloadError'
}

const versionLabel = 'io.openshift.release'
const architectureNote = 'release.openshift.io/architecture'

/** Status fields hold no more. */
const longestVersion = 64

/** The version that the image's label names: the quick answer, from a few hundred bytes. Undefined for an image without the label. */
export function releaseLabel({ labels }: ImageConfig): string | undefined {
  const label = labels[versionLabel]
  return typeof label === 'string' && label !== '' ? label : undefined
}

/**
 * What the files of a release say. The version is the name of the image stream; label and metadata, where they are there, must
 * say the same.
 *
 * # Errors
 *
 * `InvalidPayloadError`.
 */
export function releaseContents(files: ReleaseFiles, config: ImageConfig, isForSeveral: boolean): ReleaseContents {
  if (files.imageReferences === undefined) {
    throw new InvalidPayloadError('no layer has release-manifests/image-references: it is an image, but not of a release')
  }
  if (!files.hasBootImages) throw new InvalidPayloadError('release-manifests has no 0000_50_installer_coreos-bootimages.yaml')
  const stream = parseObject(files.imageReferences, 'image-references')
  const version = versionOf(stream)
  const notes = files.releaseMetadata === undefined ? {} : parseObject(files.releaseMetadata, 'release-metadata')
  for (const [place, said] of [
    [`the label ${versionLabel}`, releaseLabel(config)],
    ['release-metadata', notes['version']],
  ] as const) {
    if (said !== undefined && said !== version) {
      throw new InvalidPayloadError(`image-references says that it is ${version}, ${place} says ${JSON.stringify(said)}`)
    }
  }
  const annotations = isRecord(notes['metadata']) ? notes['metadata'] : {}
  const isMulti = isForSeveral || annotations[architectureNote] === 'multi'
  return {
    version,
    architecture: isMulti ? 'multi' : config.architecture,
    images: imagesOf(stream),
    metadata: metadataOf(notes, annotations),
    ...(files.bootImages === undefined ? {} : { bootImages: bootImagesIn(files.bootImages) }),
  }
}

function versionOf(stream: JsonRecord): string {
  if (stream['kind'] !== 'ImageStream') throw new InvalidPayloadError(`image-references is a ${String(stream['kind'])}, not an ImageStream`)
  const name = isRecord(stream['metadata']) ? stream['metadata']['name'] : undefined
  if (typeof name === 'string' && name.length <= longestVersion && tryParseVersion(name) !== undefined) return name
  throw new InvalidPayloadError(`image-references is named ${JSON.stringify(name)}, which is no version`)
}

function imagesOf(stream: JsonRecord): ReadonlyMap<string, Pullspec> {
  const tags = isRecord(stream['spec']) ? stream['spec']['tags'] : undefined
  if (!Array.isArray(tags) || tags.length === 0) throw new InvalidPayloadError('image-references names no images')
  return new Map(tags.map(imageOf))
}

function imageOf(tag: unknown, index: number): [string, Pullspec] {
  const name = isRecord(tag) ? tag['name'] : undefined
  const from = isRecord(tag) && isRecord(tag['from']) ? tag['from']['name'] : undefined
  if (typeof name !== 'string' || name === '' || typeof from !== 'string') {
    throw new InvalidPayloadError(`image-references: spec.tags[${index}] lacks its name or the image that it stands for`)
  }
  try {
    return [name, asPullspec(from, `image-references: the image of ${name}`)]
  } catch (error) {
    if (error instanceof InvalidPullspecError) throw new InvalidPayloadError(error.message, { cause: error })
    throw error
  }
}

function metadataOf(notes: JsonRecord, annotations: JsonRecord): ReleaseMetadata {
  const previous = Array.isArray(notes['previous']) ? notes['previous'].filter((entry) => typeof entry === 'string') : []
  const url = annotations['url']
  return { previous, url: typeof url === 'string' && url !== '' ? url : undefined }
}

function parseObject(bytes: Buffer, file: string): JsonRecord {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch (error) {
    throw new InvalidPayloadError(`${file} is not JSON`, { cause: error })
  }
  if (!isRecord(value)) throw new InvalidPayloadError(`${file} is not an object`)
  return value
}
