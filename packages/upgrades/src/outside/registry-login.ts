/**
 * The name and password for a repository, as a header; undefined when the pull secret has none, or is none. The longest entry that the repository begins with
 * counts: one for a part of a registry goes before one for all of it.
 */
export function loginFor(pullSecret: string | undefined, repository: string): string | undefined {
  const auths = authsIn(pullSecret)
  const [best] = Object.keys(auths)
    .filter((key) => repository === hostless(key) || repository.startsWith(`${hostless(key)}/`))
    .toSorted((a, b) => hostless(b).length - hostless(a).length)
  const entry = best === undefined ? undefined : auths[best]
  const auth: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'auth') : undefined
  return typeof auth === 'string' && auth !== '' ? `Basic ${auth}` : undefined
}

/** Old entries are whole addresses: `https://index.docker.io/v1/`. */
function hostless(key: string): string {
  return key.replace(/^https?:\/\//, '').replace(/\/(v[12]\/?)?$/, '')
}

function authsIn(pullSecret: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(pullSecret ?? '')
    const auths: unknown = typeof document === 'object' && document !== null ? Reflect.get(document, 'auths') : undefined
    return typeof auths === 'object' && auths !== null ? { ...auths } : {}
  } catch {
    return {}
  }
}
