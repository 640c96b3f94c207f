import { ApiError } from '../errors/api-error.ts'

export type BodyFormat = 'json' | 'yaml' | 'protobuf'
export type PatchFormat = 'json-patch' | 'merge-patch' | 'strategic-merge-patch' | 'apply-patch'

const bodyFormats: ReadonlyMap<string, BodyFormat> = new Map([
  ['', 'json'],
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
])

const customPatches: ReadonlyMap<string, PatchFormat> = new Map([
  ['application/json-patch+json', 'json-patch'],
  ['application/merge-patch+json', 'merge-patch'],
  ['application/apply-patch+yaml', 'apply-patch'],
])

const builtInPatches: ReadonlyMap<string, PatchFormat> = new Map([
  ...customPatches,
  ['application/strategic-merge-patch+json', 'strategic-merge-patch'],
])

/** The media type of a Content-Type or Accept entry without its parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** How a body must be read; one without content type is JSON. Errors: 415 for everything else, CBOR included. */
export function bodyFormat(contentType: string | undefined): BodyFormat {
  const format = bodyFormats.get(mediaType(contentType))
  if (format === undefined) throw unsupportedMediaType(['application/json', 'application/yaml'])
  return format
}

/**
 * Which kind of patch a body is. Custom resources know no strategic merge patch.
 *
 * Errors: 415. Built-in kinds say so in other words than custom resources, because a real server's router refuses them earlier.
 */
export function patchFormat(contentType: string | undefined, of: { readonly isCustom: boolean }): PatchFormat {
  const format = (of.isCustom ? customPatches : builtInPatches).get(mediaType(contentType))
  if (format !== undefined) return format
  if (of.isCustom) throw unsupportedMediaType([...customPatches.keys()])
  throw new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', { details: {} })
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
  return new ApiError(415, 'UnsupportedMediaType', message)
}
