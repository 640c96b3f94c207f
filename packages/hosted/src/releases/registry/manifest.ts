import { isRecord, type JsonRecord, textOf } from '../json.ts'
import { asDigest, type Digest } from '../pullspec/index.ts'
import { RegistryFailure } from './failure.ts'

/** Points to some bytes in the same repository. */
export interface Descriptor {
  readonly mediaType: string
  readonly digest: Digest
  readonly size: number
}

export interface PlatformDescriptor extends Descriptor {
  readonly os: string
  readonly architecture: string
}

/** One image: what it is and what it is made of. */
export interface ImageManifest {
  readonly kind: 'image'
  readonly config: Descriptor
  /** The lowest first. */
  readonly layers: readonly Descriptor[]
}

/** The same image for several platforms. */
export interface ImageIndex {
  readonly kind: 'index'
  readonly manifests: readonly PlatformDescriptor[]
}

export type Manifest = ImageManifest | ImageIndex

const indexTypes = ['application/vnd.oci.image.index.v1+json', 'application/vnd.docker.distribution.manifest.list.v2+json']
const imageTypes = ['application/vnd.oci.image.manifest.v1+json', 'application/vnd.docker.distribution.manifest.v2+json']

/** What to ask a registry for. */
export const manifestTypes = [...indexTypes, ...imageTypes].join(', ')

/**
 * Reads a manifest or a list of manifests.
 *
 * A document must not be both, whatever type it is served with: its digest would then stand for two different images.
 *
 * # Errors
 *
 * `RegistryFailure`, unusable.
 */
export function parseManifest(bytes: Uint8Array, contentType: string | undefined): Manifest {
  const document = parseJson(bytes)
  const type = textOf(document['mediaType']) || (contentType?.split(';')[0]?.trim() ?? '')
  if (document['schemaVersion'] === 1)
    refuse('is of schema 1, which says nothing that can be checked. Push the image again with a newer tool')
  const isIndex = Array.isArray(document['manifests'])
  const isImage = Array.isArray(document['layers'])
  if (isIndex && isImage) refuse('is both a list of manifests and an image')
  if (isIndex && !imageTypes.includes(type)) return { kind: 'index', manifests: list(document, 'manifests').map(platformDescriptor) }
  if (isImage && !indexTypes.includes(type)) {
    return { kind: 'image', config: descriptor(document['config'], 'config'), layers: list(document, 'layers').map(layerDescriptor) }
  }
  return refuse(`of type "${type}" is neither an image nor a list of images`)
}

/**
 * The manifest for Linux on an architecture.
 *
 * # Errors
 *
 * `RegistryFailure`, unusable, naming the platforms that there are.
 */
export function choosePlatform({ manifests }: ImageIndex, architecture: string): PlatformDescriptor {
  const found = manifests.find((manifest) => manifest.os === 'linux' && manifest.architecture === architecture)
  if (found !== undefined) return found
  const platforms = platformsOf(manifests).join(', ')
  throw new RegistryFailure('unusable', `there is no image for linux/${architecture}; there is ${platforms === '' ? 'none' : platforms}`)
}

/** Build tools list attestations beside images, with a platform that they call unknown. */
export function platformsOf(manifests: readonly PlatformDescriptor[]): readonly string[] {
  return manifests.filter(({ os }) => os !== 'unknown' && os !== '').map(({ os, architecture }) => `${os}/${architecture}`)
}

function platformDescriptor(value: unknown, index: number): PlatformDescriptor {
  const platform = isRecord(value) && isRecord(value['platform']) ? value['platform'] : {}
  return {
    ...descriptor(value, `manifests[${index}]`),
    os: textOf(platform['os']),
    architecture: textOf(platform['architecture']),
  }
}

function layerDescriptor(value: unknown, index: number): Descriptor {
  return descriptor(value, `layers[${index}]`)
}

function descriptor(value: unknown, field: string): Descriptor {
  if (!isRecord(value)) return refuse(`has no ${field}`)
  const { mediaType, digest, size } = value
  if (typeof digest !== 'string' || typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    return refuse(`has no digest and size in ${field}`)
  }
  try {
    return { mediaType: textOf(mediaType), digest: asDigest(digest), size }
  } catch (error) {
    return refuse(`has a digest in ${field} that cannot be checked`, { cause: error })
  }
}

function list(document: JsonRecord, field: string): readonly unknown[] {
  const value = document[field]
  return Array.isArray(value) ? value : []
}

function parseJson(bytes: Uint8Array): JsonRecord {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    return isRecord(value) ? value : refuse('is not an object')
  } catch (error) {
    if (error instanceof RegistryFailure) throw error
    return refuse('is not JSON', { cause: error })
  }
}

function refuse(problem: string, options?: ErrorOptions): never {
  throw new RegistryFailure('unusable', `its manifest ${problem}`, options)
}
