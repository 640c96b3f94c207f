import type { ReadFile } from './system.ts'

interface Parts {
  readonly clusters?: Readonly<Record<string, object>>
  readonly users?: Readonly<Record<string, object>>
  readonly contexts?: Readonly<Record<string, object>>
  /** The current context; `c` unless told. */
  readonly current?: string
}

/** The text of a kubeconfig with the context `c`: the cluster `c` as the user `u`. */
export function aKubeconfig({ clusters, users, contexts, current = 'c' }: Parts): string {
  const list = (kind: string, entries: Readonly<Record<string, object>>): object[] =>
    Object.entries(entries).map(([name, entry]) => ({ name, [kind]: entry }))
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: list('cluster', clusters ?? { c: { server: 'https://c.example.com' } }),
    users: list('user', users ?? { u: { token: 'secret' } }),
    contexts: list('context', contexts ?? { c: { cluster: 'c', user: 'u' } }),
    'current-context': current,
  })
}

/** Files that are there while the test runs; the test may change them. */
export function filesOf(files: Readonly<Record<string, string>>): ReadFile {
  return (path) => {
    const text = files[path]
    if (text !== undefined) return Promise.resolve(text)
    return Promise.reject(Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' }))
  }
}

/** Looks like PEM, as far as a kubeconfig looks. */
export function pem(label: string): string {
  return `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`
}
