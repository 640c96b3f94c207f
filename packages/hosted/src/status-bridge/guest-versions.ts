import { ClusterVersion } from '@windlass/api'
import { cached, ClusterFollower, keyOf, parseKey } from '@windlass/kube'
import type { Client, FollowParts, Ref, Source } from '@windlass/kube'
import { failed, found } from '../hosted-cluster/lookup.ts'
import type { Lookup } from '../hosted-cluster/lookup.ts'

/** The one object that tells the version of a guest. Nothing else of guests is kept: there are thousands. */
const versions = cached(ClusterVersion, { fieldSelector: 'metadata.name=version' })

/** Follows the versions of many guests, each over a watch of its own, and says whose has changed. */
export class GuestVersions {
  readonly #follower: ClusterFollower

  constructor(connect: (kubeconfig: string, name: string) => Client | Promise<Client>) {
    this.#follower = new ClusterFollower({ connect, kinds: [versions] })
  }

  /** Gives guests whose version has changed. */
  get source(): Source {
    return this.#follower.source(versions, (_version, _cache, guest) => [parseKey(guest)])
  }

  /**
   * What the guest says, as far as it is known now; undefined while its first answer is awaited. The first time it is asked about a guest, or about one with another kubeconfig, it begins to follow it.
   *
   * Errors: throws when the kubeconfig cannot be used.
   */
  async read(ref: Ref, kubeconfig: string, parts: FollowParts): Promise<Lookup<ClusterVersion> | undefined> {
    const { isAwaited, problem, cache } = await this.#follower.follow(keyOf(ref), kubeconfig, parts)
    if (isAwaited) return undefined
    if (problem !== undefined) return failed(problem)
    const version = cache.get(versions, { name: 'version' })
    return version === undefined ? failed('ClusterVersion version not found') : found(version)
  }

  forget(ref: Ref): void {
    this.#follower.forget(keyOf(ref))
  }
}
