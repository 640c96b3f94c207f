import type { HostedCluster, Secret } from '@windlass/api'
import { failed, found } from '../hosted-cluster/lookup.ts'
import type { Lookup } from '../hosted-cluster/lookup.ts'
import { InvalidMirrorError, InvalidPullSecretError, parsePullSecret, readMirrors, ReleaseError } from '../releases/index.ts'
import type { Release, ReleaseResolver, ResolveOptions } from '../releases/index.ts'

export interface ReleaseQuestion {
  readonly pullspec: string
  /** With credentials for registries; without it they are asked as anybody. */
  readonly pullSecret: Secret | undefined
  /** Where else images are, as a hosted cluster says. */
  readonly mirrors: HostedCluster['spec']['imageContentSources']
  readonly signal: AbortSignal
}

/** Looks a release up. That it cannot be is an answer too: it is shown to people, and what does not depend on it goes on. */
export async function lookUpRelease(releases: ReleaseResolver, question: ReleaseQuestion): Promise<Lookup<Release>> {
  try {
    return found(await releases.resolve(question.pullspec, optionsOf(question)))
  } catch (error) {
    if (error instanceof ReleaseError || error instanceof InvalidPullSecretError || error instanceof InvalidMirrorError)
      return failed(error.message)
    throw error
  }
}

function optionsOf({ pullSecret, mirrors = [], signal }: ReleaseQuestion): ResolveOptions {
  const encoded = pullSecret?.data?.['.dockerconfigjson']
  return {
    ...(encoded === undefined ? {} : { pullSecret: parsePullSecret(Buffer.from(encoded, 'base64').toString()) }),
    ...(mirrors.length === 0 ? {} : { mirrors: readMirrors({ digests: mirrors }) }),
    signal,
  }
}
