import { seededRandom, type Instant } from '@windlass/core'
import type { JsonObject } from '../../json.ts'
import { newPrivateKey } from '../certificates/key-pair.ts'
import { adminToken, Authenticator } from './authenticator.ts'
import type { BoundResource, ObjectLookup } from './service-account-token.ts'
import { parseTokenFile } from './token-file.ts'

/** A server with a few users, and objects that tokens can be bound to. */

export const now: Instant = Date.UTC(2026, 2, 1, 12)

const users = `
dev-token,dev,dev-uid
alice-token,alice,alice-uid,"devs,ops"
bob-token,bob,bob-uid,
`

/** Objects by `cluster/resource/namespace/name`. */
export class Objects {
  readonly #byKey = new Map<string, JsonObject>()

  put(
    resource: BoundResource,
    name: string,
    uid: string,
    rest: JsonObject = {},
    { cluster = 'root', namespace = 'default' } = {},
  ): JsonObject {
    const object = { metadata: { name, uid, ...(resource === 'nodes' ? {} : { namespace }) }, ...rest }
    this.#byKey.set(key(cluster, resource, resource === 'nodes' ? '' : namespace, name), object)
    return object
  }

  remove(resource: BoundResource, name: string): void {
    this.#byKey.delete(key('root', resource, resource === 'nodes' ? '' : 'default', name))
  }

  readonly lookup: ObjectLookup = (cluster, resource, namespace, name) => this.#byKey.get(key(cluster, resource, namespace, name))
}

const key = (...parts: string[]): string => parts.join('/')

export const tokenKey = newPrivateKey(seededRandom('token key'))

export function anAuthenticator(objects = new Objects(), clusters: Readonly<Record<string, string>> = {}): Authenticator {
  return new Authenticator({
    tokens: [adminToken('admin-token'), ...parseTokenFile(users, 'users.csv'), clusterToken],
    tokenKey,
    lookup: objects.lookup,
    clusterUid: (cluster) => clusters[cluster],
  })
}

const clusterToken = { token: 'only-c1', user: { name: 'local', uid: '', groups: [], extra: {} }, cluster: 'c1' }
