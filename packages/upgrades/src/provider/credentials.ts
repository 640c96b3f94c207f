import { type Seen, seen, unseen } from '../observed/seen.ts'

const registry = 'cloud.openshift.com'

/** The token of OCM from the pull secret of the cluster. Each piece that can be missing has words of its own. */
export function accessToken(dockerConfigJson: string | undefined): Seen<string> {
  const where = 'Secret openshift-config/pull-secret'
  if (dockerConfigJson === undefined) return unseen(`${where} has no key .dockerconfigjson`)
  let document: unknown
  try {
    document = JSON.parse(dockerConfigJson)
  } catch {
    return unseen(`${where}, key .dockerconfigjson: it is no JSON`)
  }
  const auths = fieldOf(document, 'auths')
  if (auths === undefined) return unseen(`${where}, key .dockerconfigjson: it has no auths`)
  const entry = fieldOf(auths, registry)
  if (entry === undefined) return unseen(`${where}, key .dockerconfigjson: auths has no entry for ${registry}`)
  const auth = fieldOf(entry, 'auth')
  return typeof auth === 'string' && auth !== ''
    ? seen(auth)
    : unseen(`${where}, key .dockerconfigjson: the entry for ${registry} has no auth`)
}

/** How we say who we are. */
export function authorization(clusterId: string, token: string): string {
  return `AccessToken ${clusterId}:${token}`
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}
