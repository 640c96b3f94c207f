import type { HostedCluster } from '@windlass/api'
import { isSameImage } from '@windlass/core'
import type { Release } from '../releases/index.ts'
import { failed } from './lookup.ts'
import type { Lookup } from './lookup.ts'

export type Releases = ReadonlyMap<string, Lookup<Release>>

/** The release that the components on the management cluster are to run, as it is asked for. */
export function controlPlaneImageOf({ spec }: HostedCluster): string {
  return spec.controlPlaneRelease?.image ?? spec.release.image
}

/** What is known of a pullspec. One that nobody has looked up is as good as one that could not be. */
export function releaseAt(releases: Releases, pullspec: string): Lookup<Release> {
  return releases.get(pullspec) ?? failed(`release image ${pullspec} was not looked up`)
}

/**
 * Whether two pullspecs are one release, as far as anybody knows: a tag that points to a digest is that digest. The guest reports digests, people
 * write tags; taken as texts they would look like an upgrade for ever.
 */
export function isSamePayload(releases: Releases, a: string, b: string): boolean {
  return isSameImage(a, b) || isSameImage(resolved(releases, a), resolved(releases, b))
}

function resolved(releases: Releases, pullspec: string): string {
  const release = releaseAt(releases, pullspec)
  return release.is === 'found' ? release.value.image : pullspec
}

/** Pullspecs that a pass wants to know about: what is asked for, and what runs. */
export function pullspecsOf(cluster: HostedCluster): readonly string[] {
  const { version, controlPlaneVersion } = cluster.status ?? {}
  const running = [version?.desired.image ?? '', controlPlaneVersion?.desired.image ?? '']
  const asked = [controlPlaneImageOf(cluster), cluster.spec.release.image]
  return [...new Set([...asked, ...running])].filter((pullspec) => pullspec !== '')
}
