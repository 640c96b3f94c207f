import { asDigest, type Digest, InvalidDigestError } from './digest.ts'

declare const pullspec: unique symbol

/** A text that names an image and can be taken apart by `parsePullspec`. */
export type Pullspec = string & { readonly [pullspec]: true }

/** A place in a registry that holds the images of one name. */
export interface Repository {
  /** Host and perhaps port, in lower case: `example.com:5000`. */
  readonly registry: string
  /** Path in the registry: `ocp/release`. */
  readonly repository: string
}

/** A pullspec in its parts. At least one of tag and digest is there; where both are, the digest decides. */
export interface ImageReference extends Repository {
  /** As it was written. */
  readonly text: Pullspec
  readonly tag: string | undefined
  readonly digest: Digest | undefined
}

/** Thrown when a text does not name an image. Says in which field it stood, what is wrong with it, and what to write. */
export class InvalidPullspecError extends Error {
  override readonly name = 'InvalidPullspecError'
  readonly text: string
  readonly field: string
  /** The part of the message behind text and field. */
  readonly problem: string

  constructor(text: string, field: string, problem: string, options?: ErrorOptions) {
    super(`${field}: "${text}" does not name an image: ${problem}`, options)
    this.text = text
    this.field = field
    this.problem = problem
  }
}

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?'
const host = new RegExp(String.raw`^(?:${label}(?:\.${label})*|\[[0-9a-fA-F:]+\])(?::([0-9]{1,5}))?$`)
const pathComponent = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/

/** The registry of names that have none, and the folder in it of names that have no folder. So it has been since Docker. */
const defaultRegistry = 'docker.io'
const defaultFolder = 'library'
const defaultTag = 'latest'

/** Names of the default registry that old configurations still use. */
const defaultRegistryAliases: ReadonlySet<string> = new Set(['index.docker.io', 'registry-1.docker.io'])

/** As long as the registry protocol allows a name to be. */
const longestName = 255

/** `docker://`, `https://`: tools and people write it in front, a pullspec does not have it. */
const transportPrefix = /^[a-z+-]+:\/\//

/**
 * Takes a pullspec apart: `[registry[:port]/]path[:tag][@digest]`.
 *
 * The first component is a registry if it has a dot or a port, or is `localhost`; else the image is in the default registry. Without tag
 * and digest the tag is `latest`.
 *
 * `field` is where the text stood, for the message.
 *
 * # Errors
 *
 * `InvalidPullspecError`.
 */
export function parsePullspec(text: string, field = 'pullspec'): ImageReference {
  const refuse = (problem: string, options?: ErrorOptions): never => {
    throw new InvalidPullspecError(text, field, problem, options)
  }
  if (text === '') refuse('it is empty; write registry/path:tag or registry/path@digest')
  if (/\s/.test(text)) refuse('it has white space in it; remove it')
  const prefix = transportPrefix.exec(text)?.[0]
  if (prefix !== undefined) refuse(`it starts with ${prefix}; leave that out`)

  const [name = '', digestText, ...more] = text.split('@')
  if (more.length > 0) refuse('it has more than one @')
  const digest = digestText === undefined ? undefined : readDigest(digestText, refuse)

  const tagAt = name.indexOf(':', name.lastIndexOf('/') + 1)
  const tagText = tagAt < 0 ? undefined : name.slice(tagAt + 1)
  if (tagText !== undefined && !tagPattern.test(tagText)) {
    refuse(`its tag "${tagText}" is none: up to 128 letters, digits, dots, dashes and underscores, the first no dot or dash`)
  }
  const path = tagAt < 0 ? name : name.slice(0, tagAt)
  const place = readRepository(path, refuse)
  const tag = tagText ?? (digest === undefined ? defaultTag : undefined)
  return { text: text as Pullspec, ...place, tag, digest }
}

/** The text itself, once it is known to name an image. Errors as in `parsePullspec`. */
export function asPullspec(text: string, field?: string): Pullspec {
  return parsePullspec(text, field).text
}

/** The same image in the same place, with everything spelled out that may be left out. */
export function canonicalPullspec({ registry, repository, tag, digest }: ImageReference): Pullspec {
  return `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}` as Pullspec
}

/** The image with this digest in the same repository: a name that cannot be moved to other contents. */
export function atDigest({ registry, repository }: Repository, digest: Digest): Pullspec {
  return `${registry}/${repository}@${digest}` as Pullspec
}

/** `example.com:5000/ocp/release` */
export function repositoryPath({ registry, repository }: Repository): string {
  return `${registry}/${repository}`
}

type Refuse = (problem: string, options?: ErrorOptions) => never

function readDigest(text: string, refuse: Refuse): Digest {
  try {
    return asDigest(text)
  } catch (error) {
    if (error instanceof InvalidDigestError) return refuse(`its digest ${error.message}`, { cause: error })
    throw error
  }
}

function readRepository(path: string, refuse: Refuse): Repository {
  const [first = '', ...rest] = path.split('/')
  const isRegistry = rest.length > 0 && (first.includes('.') || first.includes(':') || first === 'localhost')
  const components = isRegistry ? rest : [first, ...rest]
  const registry = isRegistry ? readRegistry(first, refuse) : defaultRegistry
  for (const component of components) {
    if (component === '') refuse('a part of its path is empty; look for a slash too many')
    if (!pathComponent.test(component)) {
      refuse(`"${component}" cannot be in its path: lower-case letters and digits, separated by single dots, dashes or underscores`)
    }
  }
  const isShort = registry === defaultRegistry && components.length === 1
  const repository = (isShort ? [defaultFolder, ...components] : components).join('/')
  if (registry.length + 1 + repository.length > longestName) refuse(`it is longer than ${longestName} characters`)
  return { registry, repository }
}

function readRegistry(text: string, refuse: Refuse): string {
  const match = host.exec(text)
  if (match === null) return refuse(`"${text}" is not a host name or address with perhaps a port`)
  if (match[1] !== undefined && (Number(match[1]) < 1 || Number(match[1]) > 65_535)) refuse(`there is no port ${match[1]}`)
  const registry = text.toLowerCase()
  return defaultRegistryAliases.has(registry) ? defaultRegistry : registry
}
