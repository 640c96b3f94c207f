import type { Clock, Random } from '@windlass/core'
import { CachedReleases, type CachedReleasesOptions, ReleaseFolder } from './cache/index.ts'
import { type MirrorSets, readMirrors } from './mirrors/index.ts'
import { referenceTo } from './reference.ts'
import {
  RegistryClient,
  type RegistryClientOptions,
  type RegistryTransport,
  undiciTransport,
  type UndiciTransportOptions,
} from './registry/index.ts'
import { RegistrySource, type RegistrySourceOptions } from './registry-source.ts'
import type { ReleaseResolver, ResolveOptions } from './release.ts'

export interface RegistryResolverOptions
  extends
    UndiciTransportOptions,
    Omit<RegistryClientOptions, 'transport'>,
    Pick<CachedReleasesOptions, 'tagLifetime' | 'lookupTimeout' | 'releasesKept' | 'onProblem'>,
    Pick<RegistrySourceOptions, 'architecture'> {
  readonly clock: Clock
  readonly random: Random
  /** Instead of sockets. */
  readonly transport?: RegistryTransport
  readonly mirrors?: MirrorSets
  /** A folder that keeps releases beyond the process. */
  readonly folder?: string
}

export interface RegistryResolver extends ReleaseResolver {
  /** The version on the image's label: quick, for a first look. Not kept; undefined for an image without the label. */
  labelledVersion(pullspec: string, options?: ResolveOptions): Promise<string | undefined>
  /** Resolves when the registry (`example.com:5000`) is there, whether it wants credentials or not. Throws a `RegistryFailure`. */
  ping(registry: string, options?: Pick<ResolveOptions, 'signal'>): Promise<void>
  /** Ends look-ups that go on, and connections. */
  close(): Promise<void>
}

/** Releases from registries, through mirrors and caches. */
export function registryResolver(options: RegistryResolverOptions): RegistryResolver {
  const { clock, random, folder, architecture, transport = undiciTransport(options) } = options
  const client = new RegistryClient({ ...options, transport })
  const source = new RegistrySource({
    client,
    ...(options.mirrors === undefined ? {} : { mirrors: readMirrors(options.mirrors) }),
    ...(architecture === undefined ? {} : { architecture }),
  })
  const cached = new CachedReleases({
    ...options,
    source,
    ...(folder === undefined ? {} : { shelf: new ReleaseFolder({ path: folder, random, variant: architecture ?? 'amd64' }) }),
    clock,
  })
  const never = new AbortController().signal
  const closed = new AbortController()
  return {
    resolve: (pullspec, { signal, ...rest } = {}) =>
      cached.resolve(pullspec, { ...rest, signal: signal === undefined ? closed.signal : AbortSignal.any([signal, closed.signal]) }),
    async labelledVersion(pullspec, { signal = never, ...rest } = {}) {
      return source.labelledVersion(referenceTo(pullspec), { ...rest, signal })
    },
    ping: (registry, { signal = never } = {}) => client.ping(registry, { signal }),
    close() {
      closed.abort(new Error('nobody asks registries any more'))
      return transport.close()
    },
  }
}
