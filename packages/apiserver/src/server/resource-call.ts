import { assertAllowed, type User } from '../auth/index.ts'
import type { Cluster } from '../clusters/cluster.ts'
import type { Served } from '../registry/catalog.ts'
import type { WriteOptions } from '../registry/options.ts'
import type { WriteRequest } from '../registry/write-request.ts'
import type { WatchHub } from '../watch/hub.ts'
import type { ResourcePath } from './path.ts'
import type { ApiRequest } from './request.ts'

/** A request for a resource that exists, by somebody who may. */
export interface ResourceCall {
  readonly cluster: Cluster
  readonly hub: WatchHub
  readonly served: Served
  readonly path: ResourcePath
  readonly request: ApiRequest
  readonly query: URLSearchParams
  readonly user: User
  readonly warn: (text: string) => void
}

export function writeRequest(call: ResourceCall, options: WriteOptions, subresource = call.path.subresource): WriteRequest {
  return {
    scope: call.cluster,
    served: call.served,
    namespace: call.path.namespace,
    subresource,
    options,
    user: call.user,
    authorizeCreate: (name) => {
      const { group, version, resource, namespace } = call.path
      const attributes = { verb: 'create', group, version, resource, subresource: '', name, namespace }
      assertAllowed(call.cluster.authorizer.authorize, call.user, attributes)
    },
    warn: call.warn,
  }
}
