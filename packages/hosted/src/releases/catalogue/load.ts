import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compareVersions, parseVersion } from '@windlass/core'
import { asDigest, asPullspec, canonicalPullspec, parsePullspec, type Pullspec, repositoryPath } from '../pullspec/index.ts'
import type { Catalogue, CatalogueRelease, ConditionalUpdate } from './catalogue.ts'
import { type Field, FieldSource } from './fields.ts'
import { generatedDigest, generatedImages, tagOf } from './generated.ts'
import { releasesOf, type Stream } from './streams.ts'

/** Reads a catalogue from a file. Errors as in `parseCatalogue`, and those of reading files. */
export async function loadCatalogue(file: string): Promise<Catalogue> {
  return parseCatalogue(await readFile(file, 'utf8'), file)
}

/** Releases that do not exist, for trying things out: a few minors of 4, and one 5.0. */
export function sampleCatalogue(): Catalogue {
  const file = join(import.meta.dirname, 'sample.yaml')
  return parseCatalogue(readFileSync(file, 'utf8'), basename(file))
}

/**
 * Reads a catalogue; `name` stands for it in messages. The fields are described in `sample.yaml`.
 *
 * # Errors
 *
 * `InvalidCatalogueError`, which names everything that is wrong.
 */
export function parseCatalogue(text: string, name: string): Catalogue {
  const source = new FieldSource(text, name)
  const root = source.root.object([
    'apiVersion',
    'kind',
    'repository',
    'componentRepository',
    'components',
    'architectures',
    'streams',
    'releases',
    'conditionalUpdates',
  ])
  expect(root.at('apiVersion'), 'windlass.dev/v1alpha1')
  expect(root.at('kind'), 'ReleaseCatalogue')
  const defaults = readDefaults(root)
  const releases = [
    ...streamReleases(root, defaults),
    ...root
      .at('releases')
      .list()
      .flatMap((field) => readRelease(field, defaults)),
  ]
  complainAboutRepetitions(root, releases)
  const conditionalUpdates = root.at('conditionalUpdates').list().flatMap(readConditionalUpdate)
  source.throwIfAny()
  return {
    name,
    releases: releases.toSorted((one, other) => compareVersions(parseVersion(one.version), parseVersion(other.version))),
    conditionalUpdates,
  }
}

/** What holds for releases that do not say otherwise. */
interface Defaults {
  readonly repository: string | undefined
  readonly componentRepository: string | undefined
  readonly components: readonly string[]
  readonly architectures: readonly string[]
}

function readDefaults(root: Field): Defaults {
  const components = root.at('components').list()
  if (components.length > 0 && !root.at('componentRepository').isPresent) {
    root.at('componentRepository').complain('is missing: components need a repository to be in')
  }
  const architectures = root.at('architectures').list()
  return {
    repository: root.at('repository').isPresent ? root.at('repository').parsed(asRepository) : undefined,
    componentRepository: root.at('componentRepository').isPresent ? root.at('componentRepository').parsed(asRepository) : undefined,
    components: components.map((field) => field.text()),
    architectures: architectures.length === 0 ? ['amd64'] : architectures.map((field) => field.text()),
  }
}

function streamReleases(
  root: Field,
  { repository, componentRepository, components, architectures }: Defaults,
): readonly CatalogueRelease[] {
  const fields = root.at('streams').list()
  const streams = fields.flatMap(readStream)
  if (fields.length === 0) return []
  if (repository === undefined) root.at('repository').complain('is missing: releases of streams need a repository to be in')
  if (componentRepository === undefined || components.length === 0)
    root.at('components').complain('is missing: releases of streams are made of them')
  if (repository === undefined || componentRepository === undefined) return []
  return releasesOf(streams).flatMap(({ version, previous, channels }) =>
    architectures.map((architecture) => ({
      version,
      architecture,
      channels,
      pullspecs: [asPullspec(`${repository}:${tagOf(version, architecture)}`)],
      digest: generatedDigest(version, architecture),
      images: generatedImages(componentRepository, components, version, architecture),
      metadata: { previous, url: undefined },
    })),
  )
}

function readStream(field: Field): readonly Stream[] {
  field.object(['minor', 'patches', 'candidates', 'beganAtPatch'])
  const minor = field.at('minor').parsed(asMinor)
  const beganAtPatch = field.at('beganAtPatch')
  return minor === undefined
    ? []
    : [
        {
          minor,
          patches: field.at('patches').count(1, 200),
          candidates: field.at('candidates').count(0, 20),
          beganAtPatch: beganAtPatch.isPresent ? beganAtPatch.count(0, 200) : undefined,
        },
      ]
}

function readRelease(field: Field, defaults: Defaults): readonly CatalogueRelease[] {
  field.object(['version', 'architecture', 'pullspecs', 'digest', 'channels', 'previous', 'url', 'images'])
  const version = field.at('version').parsed(asVersion)
  if (version === undefined) return []
  const architecture = field.at('architecture').optionalText() ?? 'amd64'
  return [
    {
      version,
      architecture,
      pullspecs: readPullspecs(field, defaults, version, architecture),
      digest: field.at('digest').isPresent ? field.at('digest').parsed(asDigest) : undefined,
      channels: field
        .at('channels')
        .list()
        .map((channel) => channel.text()),
      images: readImages(field, defaults, version, architecture),
      metadata: {
        previous: field
          .at('previous')
          .list()
          .flatMap((entry) => entry.parsed(asVersion) ?? []),
        url: field.at('url').optionalText(),
      },
    },
  ]
}

function readPullspecs(field: Field, { repository }: Defaults, version: string, architecture: string): readonly Pullspec[] {
  const given = field.at('pullspecs').list()
  if (given.length > 0) return given.flatMap((entry) => entry.parsed((text) => canonicalPullspec(parsePullspec(text))) ?? [])
  if (repository !== undefined) return [asPullspec(`${repository}:${tagOf(version, architecture)}`)]
  field.at('pullspecs').complain('is missing: name at least one, or set repository at the top')
  return []
}

function readImages(
  field: Field,
  { componentRepository, components }: Defaults,
  version: string,
  architecture: string,
): CatalogueRelease['images'] {
  const given = field.at('images').entries()
  if (given.length > 0) {
    return new Map(
      given.flatMap(([component, image]) => {
        const pullspec = image.parsed((text) => asPullspec(text))
        return pullspec === undefined ? [] : [[component, pullspec] as const]
      }),
    )
  }
  if (componentRepository !== undefined && components.length > 0)
    return generatedImages(componentRepository, components, version, architecture)
  field.at('images').complain('is missing: name the component images, or set components and componentRepository at the top')
  return new Map()
}

function readConditionalUpdate(field: Field): readonly ConditionalUpdate[] {
  field.object(['from', 'to', 'risks'])
  const to = field.at('to').parsed(asVersion)
  const from = field
    .at('from')
    .list()
    .flatMap((entry) => entry.parsed(asVersion) ?? [])
  const risks = field
    .at('risks')
    .list()
    .map((risk) => {
      risk.object(['name', 'message', 'url'])
      return { name: risk.at('name').text(), message: risk.at('message').text(), url: risk.at('url').text() }
    })
  if (from.length === 0) field.at('from').complain('is missing: name the versions that the update is for')
  if (risks.length === 0) field.at('risks').complain('is missing: without a risk it is an update like any other')
  return to === undefined ? [] : [{ from, to, risks }]
}

/** A pullspec must not stand for two releases, and one release of a version and architecture is enough. */
function complainAboutRepetitions(root: Field, releases: readonly CatalogueRelease[]): void {
  const seen = new Map<string, string>()
  for (const { version, architecture, pullspecs, digest } of releases) {
    const release = `${version} (${architecture})`
    for (const name of [release, ...pullspecs, ...(digest === undefined ? [] : [digest])]) {
      const other = seen.get(name)
      if (other !== undefined) root.at('releases').complain(`${name} stands for ${other} and for ${release}: remove one`)
      seen.set(name, release)
    }
  }
}

function expect(field: Field, value: string): void {
  if (field.text() !== value) field.complain(`must be ${value}`)
}

function asVersion(text: string): string {
  return parseVersion(text).text
}

function asMinor(text: string): string {
  if (!/^[45]\.\d{1,3}$/.test(text)) throw new Error(`"${text}" is no minor: expected two numbers, as in 4.20 or 5.0`)
  return text
}

function asRepository(text: string): string {
  return repositoryPath(parsePullspec(`${text}:tag`, 'a repository, which has no tag or digest'))
}
