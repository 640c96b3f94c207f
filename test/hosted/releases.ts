import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dump, load } from 'js-yaml'

const sample = join(import.meta.dirname, '../../packages/hosted/src/releases/catalogue/sample.yaml')

/** A release of the catalogue below. */
export interface TestRelease {
  readonly version: string
  readonly pullspec: string
  /** What histories record: the digest where one is known, else what was asked for. */
  readonly image: string
}

/** By tag alone, as in the example that control plane histories were specified with: nobody knows a digest, so the tag is recorded. */
function byTag(version: string): TestRelease {
  const pullspec = `quay.io/openshift-release-dev/ocp-release:${version}-x86_64`
  return { version, pullspec, image: pullspec }
}

function byDigest(version: string, digit: string, architecture = 'x86_64'): TestRelease {
  const repository = 'example.com/ocp/release'
  return { version, pullspec: `${repository}:${version}-${architecture}`, image: `${repository}@sha256:${digit.repeat(64)}` }
}

export const releases = {
  '4.17.9': byDigest('4.17.9', 'e'),
  '4.18.19': byDigest('4.18.19', 'a'),
  '4.18.20': byDigest('4.18.20', 'b'),
  '4.19.6': byTag('4.19.6'),
  '4.19.19': byTag('4.19.19'),
  '4.20.1': byTag('4.20.1'),
  '4.20.2': byDigest('4.20.2', 'c'),
  /** The same version from other images. A catalogue tells them apart by architecture. */
  'rebuilt 4.20.2': byDigest('4.20.2', 'd', 'multi'),
} as const satisfies Readonly<Record<string, TestRelease>>

/** All of them as a file, made of the components of the sample that comes with Windlass. */
export function catalogue(): string {
  const { apiVersion, kind, componentRepository, components } = load(readFileSync(sample, 'utf8')) as Readonly<Record<string, unknown>>
  const listed = Object.values(releases).map(({ version, pullspec, image }) => ({
    version,
    pullspecs: [pullspec],
    ...(image === pullspec ? {} : { digest: image.replace(/^.*@/, '') }),
    ...(pullspec.endsWith('-multi') ? { architecture: 'multi' } : {}),
  }))
  return dump({ apiVersion, kind, componentRepository, components, releases: listed })
}
