import { type ImageReference, type Repository, repositoryPath } from '../pullspec/index.ts'
import { coveredLength, isPlace, isScope } from './scope.ts'

/** Where images of a source are kept as well. The fields are those of ImageDigestMirrorSet; `imageContentSources` of a hosted cluster fits too. */
export interface MirrorRule {
  /** A host, a path in a host, or `*.` and a domain. */
  readonly source: string
  /** Asked in this order. */
  readonly mirrors?: readonly string[] | undefined
  /** Whether the source may be asked when no mirror has the image; it may unless told. */
  readonly mirrorSourcePolicy?: 'AllowContactingSource' | 'NeverContactSource' | undefined
}

/**
 * Two lists, because they are not the same promise: a digest is the same image wherever it is found, while a tag is whatever the mirror says.
 */
export interface MirrorSets {
  /** For pullspecs with a digest. */
  readonly digests?: readonly MirrorRule[]
  /** For pullspecs with nothing but a tag. */
  readonly tags?: readonly MirrorRule[]
}

/** Where to ask for an image. */
export interface Mirrors {
  /** The places to ask, in order; never none. The last is the source itself unless it must not be asked. */
  placesOf(reference: ImageReference): readonly Repository[]
}

/** Thrown when a rule cannot be used. Names the field. */
export class InvalidMirrorError extends Error {
  override readonly name = 'InvalidMirrorError'
  readonly field: string

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.field = field
  }
}

/** Every image is where its pullspec says. */
export const noMirrors: Mirrors = { placesOf: (reference) => [reference] }

/**
 * Reads mirror rules. Of several sources that cover an image, the most specific decides; rules of one source are taken together, in
 * order.
 *
 * # Errors
 *
 * `InvalidMirrorError`.
 */
export function readMirrors({ digests = [], tags = [] }: MirrorSets): Mirrors {
  const digestRules = checked(digests, 'digests')
  const tagRules = checked(tags, 'tags')
  return {
    placesOf(reference) {
      return places(reference.digest === undefined ? tagRules : digestRules, reference)
    },
  }
}

function checked(rules: readonly MirrorRule[], list: string): readonly MirrorRule[] {
  for (const [index, { source, mirrors = [], mirrorSourcePolicy }] of rules.entries()) {
    const field = `${list}[${index}]`
    if (!isScope(source)) {
      throw new InvalidMirrorError(
        `${field}.source`,
        `"${source}" is no source: write a host, a path in a host, or *. and a domain, in lower case`,
      )
    }
    for (const [position, mirror] of mirrors.entries()) {
      if (isPlace(mirror)) continue
      throw new InvalidMirrorError(
        `${field}.mirrors[${position}]`,
        `"${mirror}" is no mirror: write a host or a path in a host, in lower case`,
      )
    }
    if (mirrorSourcePolicy === 'NeverContactSource' && mirrors.length === 0) {
      throw new InvalidMirrorError(`${field}.mirrors`, `there is none, and ${source} must not be asked either: name a mirror`)
    }
  }
  return rules
}

function places(rules: readonly MirrorRule[], reference: Repository): readonly Repository[] {
  const path = repositoryPath(reference)
  const mostSpecific = rules.reduce((best, { source }) => (specificity(source, path) > specificity(best, path) ? source : best), '')
  const source: Repository = { registry: reference.registry, repository: reference.repository }
  if (mostSpecific === '') return [source]
  const deciding = rules.filter((rule) => rule.source === mostSpecific)
  const rest = path.slice(coveredLength(mostSpecific, path))
  const found = deciding.flatMap(({ mirrors = [] }) => mirrors).flatMap((mirror) => placeAt(`${mirror}${rest}`))
  const asksSource = !deciding.some(({ mirrorSourcePolicy }) => mirrorSourcePolicy === 'NeverContactSource')
  const all = asksSource ? [...found, source] : found
  // A list may name the source itself, to say when it is asked; asking it again at the end would be once too often.
  return all.filter((place, index) => all.findIndex((other) => repositoryPath(other) === repositoryPath(place)) === index)
}

/** 0 when the source does not cover the path. A domain covers less than any of its hosts, however long it is. */
function specificity(source: string, path: string): number {
  if (source === '' || coveredLength(source, path) === 0) return 0
  return source.startsWith('*.') ? source.length / 1000 : source.length
}

/** A mirror and what was left of the path. None when nothing was left and the mirror is a host alone: a host is no repository. */
function placeAt(path: string): readonly Repository[] {
  const slash = path.indexOf('/')
  return slash < 0 ? [] : [{ registry: path.slice(0, slash), repository: path.slice(slash + 1) }]
}
