import type { Credential, Door } from '@windlass/fleet'
import {
  anonymous,
  type ClientOptions,
  createClient,
  type Credentials,
  fixedCredentials,
  HttpsTransport,
  type Identity,
  type TransportOptions,
} from '@windlass/kube'

/** A member over the network, as people get into it. What it trusts and where it is comes from the kubeconfig; who asks, from them. */
export function networkDoor(name: string, access: () => Promise<TransportOptions>, options: Omit<ClientOptions, 'transport'>): Door {
  return {
    name,
    async open(credential) {
      const { credentials = anonymous, ...way } = await access()
      return createClient({ ...options, transport: new HttpsTransport({ ...way, credentials: credentialsFor(credential, credentials) }) })
    },
  }
}

/** Nothing of the server's own goes with a token; with a certificate it is the server that asks, in the name of somebody. */
export function credentialsFor(credential: Credential, own: Credentials): Credentials {
  if (credential.by === 'link') return own
  if (credential.by === 'token') return fixedCredentials({ headers: { authorization: `Bearer ${credential.token}` } })
  const { user, groups } = credential
  const headers = { 'impersonate-user': user, ...(groups.length === 0 ? {} : { 'impersonate-group': groups }) }
  return { ...own, identity: inNameOf(own, headers), ...(own.refused === undefined ? {} : { refused: () => false }) }
}

/** Whoever the server pretends to be by its kubeconfig, it is now somebody else. The same object while the server's own identity is the same. */
function inNameOf(own: Credentials, headers: Identity['headers']): () => Promise<Identity> {
  const made = new WeakMap<Identity, Identity>()
  return async () => {
    const identity = await own.identity()
    const known = made.get(identity)
    if (known !== undefined) return known
    const kept = Object.entries(identity.headers).filter(([name]) => !name.startsWith('impersonate-'))
    const pretending: Identity = { ...identity, headers: { ...Object.fromEntries(kept), ...headers } }
    made.set(identity, pretending)
    return pretending
  }
}
