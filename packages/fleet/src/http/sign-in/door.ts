import type { Client } from '@windlass/kube'

/** By what somebody is known. */
export type Credential =
  /** A bearer token of a member. */
  | { readonly by: 'token'; readonly token: string }
  /** A client certificate; the members are asked in the name of that user. */
  | { readonly by: 'certificate'; readonly user: string; readonly groups: readonly string[] }
  /** The link that was printed for the person who started the server: the rights of the server are theirs anyway. */
  | { readonly by: 'link' }

/** A member, as people get into it: with their own rights, never with those of the server. */
export interface Door {
  readonly name: string
  /** A client that asks in somebody's name. Whoever gets it closes it. */
  open(credential: Credential): Client | Promise<Client>
}
