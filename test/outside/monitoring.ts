import { join } from 'node:path'
import { ConfigMap, Namespace, Secret, ServiceAccount } from '@windlass/api'
import type { Client } from '@windlass/kube'
import { makeCertificate } from '../release-registry/certificate.ts'
import { type RunningAlertmanager, startAlertmanager } from '../support/alertmanager.ts'
import { type Checkpoint, type Guarded, guard } from '../support/guarded.ts'
import { type PrometheusOptions, type RunningPrometheus, startPrometheus } from '../support/prometheus.ts'

/** The monitoring of a cluster: real servers, behind TLS and tokens, and the objects by which they are opened. */
export interface Monitoring {
  readonly prometheus: RunningPrometheus
  readonly alertmanager: RunningAlertmanager
  readonly guards: { readonly prometheus: Guarded; readonly alertmanager: Guarded }
  /** `<namespace>/<service>` to the URL of what guards it. */
  readonly endpoints: Readonly<Record<string, string>>
}

/** What opens OCM in these tests. */
export const ocmToken = 'b2NtLXRva2Vu'

const namespace = 'openshift-monitoring'

export interface MonitoringOptions extends Omit<PrometheusOptions, 'folder'> {
  /** Who looks at what passes, by the service that it is for. */
  readonly checkpointOf?: (service: 'prometheus' | 'alertmanager') => Checkpoint
}

const open: Checkpoint = () => true

export type CleanUps = (() => Promise<unknown>)[]

/** What is started is ended by `cleanUps`, the last first, whatever becomes of the rest. */
export async function startMonitoring(
  folder: string,
  client: Client,
  cleanUps: CleanUps,
  { checkpointOf = () => open, ...options }: MonitoringOptions = {},
): Promise<Monitoring> {
  const prometheus = await startPrometheus({ folder: join(folder, 'prometheus'), ...options })
  cleanUps.push(() => prometheus.stop())
  const alertmanager = await startAlertmanager(join(folder, 'alertmanager'))
  cleanUps.push(() => alertmanager.stop())
  const certificate = makeCertificate(folder)
  // Tokens of the account that monitoring trusts: JWTs, which nobody but the API server makes.
  const isWelcome = (authorization: string): boolean => accountOf(authorization) === `system:serviceaccount:${namespace}:prometheus-k8s`
  const guards = {
    prometheus: await guard({ target: prometheus.url, certificate, isWelcome, checkpoint: checkpointOf('prometheus') }),
    alertmanager: await guard({ target: alertmanager.url, certificate, isWelcome, checkpoint: checkpointOf('alertmanager') }),
  }
  cleanUps.push(() => Promise.all([guards.prometheus.close(), guards.alertmanager.close()]))
  for (const name of [namespace, 'openshift-config']) await client.create(Namespace, { metadata: { name } })
  await client.create(ServiceAccount, { metadata: { namespace, name: 'prometheus-k8s' } })
  const data = { 'service-ca.crt': certificate.certificate }
  await client.create(ConfigMap, { metadata: { namespace, name: 'serving-certs-ca-bundle' }, data })
  await client.create(Secret, {
    metadata: { namespace: 'openshift-config', name: 'pull-secret' },
    type: 'kubernetes.io/dockerconfigjson',
    stringData: { '.dockerconfigjson': JSON.stringify({ auths: { 'cloud.openshift.com': { auth: ocmToken } } }) },
  })
  const endpoints = {
    [`${namespace}/prometheus-k8s`]: guards.prometheus.url,
    [`${namespace}/alertmanager-main`]: guards.alertmanager.url,
  }
  return { prometheus, alertmanager, guards, endpoints }
}

/** Whose token it is, by what the token itself says. */
function accountOf(authorization: string): string {
  const payload = /^Bearer [^.]+\.([^.]+)\./.exec(authorization)?.[1] ?? ''
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null && 'sub' in claims ? String(claims.sub) : ''
  } catch {
    return ''
  }
}
