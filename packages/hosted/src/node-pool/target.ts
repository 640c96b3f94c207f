import { tryParseVersion, type Version } from '@windlass/core'
import { failed, found, type Lookup } from '../hosted-cluster/index.ts'
import {
  type Adoption,
  adoptionOf,
  type ConfigHashes,
  globalConfig,
  hashedStream,
  hashesOf,
  rawConfig,
  streamProblem,
} from './config/index.ts'
import { isSettled } from './machines/completion.ts'
import { tokenSecretName, userDataSecretName } from './names.ts'
import type { Seen } from './seen.ts'

/** What the nodes of a pool are to become. */
export interface Target extends ConfigHashes {
  readonly version: Version
  readonly pullspec: string
  /** The machine configuration as one text. */
  readonly raw: string
  readonly usesRunc: boolean
  readonly osStream: string
  /** Why nodes cannot have the operating system that the pool asks for. */
  readonly osProblem: string | undefined
  readonly adoption: Exclude<Adoption, { readonly is: 'deferred' }>
  readonly tokenSecret: string
  readonly userDataSecret: string
}

/** A pool that is left alone until its former controller is done with it. */
export interface Deferred {
  readonly deferred: string
}

/** Works out the target; or what is wrong with the configuration. */
export function targetOf(seen: Pick<Seen, Exclude<keyof Seen, 'target'>>): Lookup<Target | Deferred> {
  const { pool, cluster, release, name } = seen
  if (release.is === 'failed') return failed(release.problem)
  const version = tryParseVersion(release.value.version)
  if (version === undefined) return failed(`the release says that it is "${release.value.version}", which is no version`)
  const raw = rawConfig({ ...seen, images: release.value.images })
  if (raw.is === 'failed') return raw
  const { text, usesRunc } = raw.value
  const osStream = hashedStream(pool, version, usesRunc)
  const native = hashesOf({
    raw: text,
    version: version.text,
    pullSecretName: cluster.spec.pullSecret.name ?? '',
    trustBundleName: cluster.spec.additionalTrustBundle?.name ?? '',
    globalConfig: globalConfig(cluster, version),
    osStream,
  })
  const adoption = adoptionOf(pool, native, isSettled(seen, version.text))
  if (adoption.is === 'deferred') return found({ deferred: adoption.because })
  const { hash } = adoption.hashes
  return found({
    ...adoption.hashes,
    version,
    pullspec: pool.spec.release.image,
    raw: text,
    usesRunc,
    osStream,
    osProblem: streamProblem(pool, version, usesRunc),
    adoption,
    tokenSecret: tokenSecretName(name, hash),
    userDataSecret: userDataSecretName(name, hash),
  })
}
