import { parse } from 'yaml'
import { isRecord, type JsonRecord } from '../json.ts'
import type { BootImage } from '../release.ts'

/**
 * The images that a release has for machines to start from, by what its ConfigMap `coreos-bootimages` says: `stream` is the usual operating system, `streams`
 * has all that there are, by name.
 *
 * Nothing where it cannot be read: whoever needs an image misses it then, and says so; the release is good for everybody else.
 */
export function bootImagesIn(file: Buffer): readonly BootImage[] {
  const { data } = recordOf(() => parse(file.toString()) as unknown)
  const texts = isRecord(data) ? data : {}
  const named = Object.entries(jsonIn(texts['streams']))
  return [['', jsonIn(texts['stream'])] as const, ...named].flatMap(([stream, contents]) => imagesOf(stream, contents))
}

function imagesOf(stream: string, contents: unknown): readonly BootImage[] {
  return Object.entries(recordIn(contents, 'architectures')).flatMap(([architecture, about]) => {
    const { aws, kubevirt } = recordIn(about, 'images')
    const regions = Object.entries(recordIn(aws, 'regions')).map(([region, { image }]) => ({ platform: 'AWS', region, image }) as const)
    const disk = { platform: 'KubeVirt', image: isRecord(kubevirt) ? kubevirt['digest-ref'] : undefined } as const
    return [...regions, disk].flatMap(({ image, ...place }) =>
      typeof image === 'string' && image ? [{ stream, architecture, ...place, image }] : [],
    )
  })
}

function recordIn(value: unknown, key: string): Readonly<Record<string, JsonRecord>> {
  const inner = isRecord(value) ? value[key] : undefined
  return isRecord(inner)
    ? Object.fromEntries(Object.entries(inner).filter((entry): entry is [string, JsonRecord] => isRecord(entry[1])))
    : {}
}

function jsonIn(text: unknown): JsonRecord {
  return typeof text === 'string' ? recordOf(() => JSON.parse(text) as unknown) : {}
}

function recordOf(read: () => unknown): JsonRecord {
  try {
    const value = read()
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
