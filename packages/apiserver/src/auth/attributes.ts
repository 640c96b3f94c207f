import type { User } from './user.ts'

/** A request for objects, as rules see it. Fields that do not apply are empty. */
export interface ResourceAttributes {
  readonly verb: string
  readonly group: string
  readonly version: string
  /** Plural: `pods`. */
  readonly resource: string
  /** `status`, `scale`, or empty. */
  readonly subresource: string
  readonly name: string
  /** Empty for cluster-scoped objects and for requests across all namespaces. */
  readonly namespace: string
}

/** A request for a path that is no resource: `/healthz`, `/apis`. The verb is the HTTP method in lower case. */
export interface PathAttributes {
  readonly verb: string
  readonly path: string
}

export type Attributes = ResourceAttributes | PathAttributes

export function isPathRequest(attributes: Attributes): attributes is PathAttributes {
  return 'path' in attributes
}

/** The answer to "may they?". The reason is empty where there is nothing to say. */
export interface Decision {
  readonly allowed: boolean
  readonly reason: string
}

export type Authorize = (user: User, attributes: Attributes) => Decision
