import { AsyncLocalStorage } from 'node:async_hooks'

/** Who makes the server do something, and by which request. */
export interface Actor {
  /** `operator-1`, `world`, `server`. */
  readonly process: string
  /** How often the process was started before; 0 for the first life. */
  readonly life: number
  readonly userAgent: string
  /** `PATCH /api/v1/…`. */
  readonly request: string
  /** Why it was sent, where that is known: for people who look for the cause of a write. */
  readonly cause: Cause | undefined
}

/** Put into words only when somebody asks, which is rarely. */
export interface Cause {
  describe(): string
}

/** The server's own controllers: garbage collection, namespaces. */
export const server: Actor = { process: 'server', life: 0, userAgent: 'server', request: '', cause: undefined }

const actors = new AsyncLocalStorage<Actor>()

/** Everything that `act` sets off, until it awaits somebody else's work, is done by `actor`. */
export function actingAs<T>(actor: Actor, act: () => T): T {
  return actors.run(actor, act)
}

export function currentActor(): Actor {
  return actors.getStore() ?? server
}
