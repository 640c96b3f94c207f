import type { HostedCluster, HostedControlPlane } from '@windlass/api'
import { InvalidPullspecError, parsePullspec } from '../releases/pullspec/index.ts'
import { Annotation } from './wire.ts'

/** What somebody has put in the place of images of the release. */
export interface ImageOverrides {
  /** By the name that the image has in the release. None while there is a problem: half a wish is not what was asked for. */
  readonly images: ReadonlyMap<string, string>
  /** All that cannot be read, and what to write instead; undefined when nothing is wrong. */
  readonly problem: string | undefined
}

const none: ImageOverrides = { images: new Map(), problem: undefined }

const pair = /^([a-z0-9][a-z0-9._-]*)=(.*)$/

/** An annotation may be longer than a condition that tells what is wrong with it. */
const longest = { quote: 120, problem: 2_000 }

/** Reads `hypershift.openshift.io/image-overrides: ovn-kubernetes=example.com/ovn:1,cli=example.com/cli:2`. Without a value nothing is overridden. */
export function imageOverridesOf({ metadata }: HostedCluster | HostedControlPlane): ImageOverrides {
  const text = metadata.annotations?.[Annotation.imageOverrides]?.trim() ?? ''
  if (text === '') return none
  const images = new Map<string, string>()
  const problems: string[] = []
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, name = '', image = ''] = pair.exec(part) ?? []
    const problem = name === '' ? notAPair : images.has(name) ? namedBefore : imageProblem(image)
    if (problem === undefined) images.set(name, image)
    else problems.push(`annotation ${Annotation.imageOverrides}: "${cut(part, longest.quote)}" ${problem}`)
  }
  return problems.length === 0 ? { images, problem: undefined } : { ...none, problem: cut(problems.join('; '), longest.problem) }
}

const notAPair = 'is not name=image: write the name of an image in the release and what is to run instead, with commas between such pairs'

const namedBefore = 'is about an image that was named before; leave one of them out'

function imageProblem(image: string): string | undefined {
  try {
    parsePullspec(image)
    return undefined
  } catch (error) {
    if (!(error instanceof InvalidPullspecError)) throw error
    return `does not name an image: ${error.problem}`
  }
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}
