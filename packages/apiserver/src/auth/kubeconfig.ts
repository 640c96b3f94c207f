import { stringify } from 'yaml'

export interface KubeconfigOptions {
  /** `https://127.0.0.1:6443`, or with `/clusters/<name>` behind it. */
  readonly server: string
  /** PEM. Left out where the server speaks plain HTTP. */
  readonly ca?: string
  readonly token?: string
  /** PEM, both or none. */
  readonly clientCertificate?: string
  readonly clientKey?: string
  /** Clients are not to check who the server is; some refuse `http://` without it. */
  readonly insecure?: boolean
  readonly cluster?: string
  readonly user?: string
  readonly context?: string
  readonly namespace?: string
}

/** The text of a kubeconfig with one cluster, one user and one context. It holds secrets: write it with mode 0600. */
export function kubeconfig(options: KubeconfigOptions): string {
  const { server, ca, token, clientCertificate, clientKey, insecure = false, namespace } = options
  const { cluster = 'windlass', user = 'admin', context = cluster } = options
  const certificate =
    clientCertificate === undefined || clientKey === undefined
      ? {}
      : { 'client-certificate-data': base64(clientCertificate), 'client-key-data': base64(clientKey) }
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: cluster, cluster: { server, ...trust(ca, insecure) } }],
      users: [{ name: user, user: { ...(token === undefined ? {} : { token }), ...certificate } }],
      contexts: [{ name: context, context: { cluster, user, ...(namespace === undefined ? {} : { namespace }) } }],
      'current-context': context,
    },
    { lineWidth: 0 },
  )
}

/** A client that is told to skip the check refuses to be given a CA as well. */
function trust(ca: string | undefined, insecure: boolean): Record<string, string | boolean> {
  if (insecure) return { 'insecure-skip-tls-verify': true }
  return ca === undefined ? {} : { 'certificate-authority-data': base64(ca) }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
