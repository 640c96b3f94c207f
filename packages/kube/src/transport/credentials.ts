/** How to show a server who asks. */
export interface Identity {
  /** `authorization`, `impersonate-user` and the like, names in lower case. A list stands for a header that is repeated. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** PEM, both or none: shown when a connection is made. */
  readonly certificate?: string
  readonly key?: string
}

/** Where identities come from. They may change while the program runs: tokens are rotated, logins expire. */
export interface Credentials {
  /**
   * Asked before every request. Must give the same object as long as nothing has changed.
   *
   * Rejects when there is none: the login has failed.
   */
  identity(): Identity | Promise<Identity>
  /** The server did not accept it (401). True when asking again may give another one: the request is then sent once more. */
  refused?(identity: Identity): boolean
}

export const anonymous: Credentials = { identity: () => nobody }

const nobody: Identity = { headers: {} }

/** The same identity for ever. */
export function fixedCredentials(identity: Identity): Credentials {
  return { identity: () => identity }
}
