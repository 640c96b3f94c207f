import { isAbsolute, resolve } from 'node:path'
import type { Section } from './section.ts'
import type { PluginUser } from './plugin-credentials.ts'

/** What a login needs to know of a user who has a plugin. */
export interface Plugin {
  readonly user: PluginUser
  readonly what: string
  readonly installHint?: string
}

/** The cluster that somebody logs in to, and the authorities it is trusted by. */
export interface PluginCluster {
  readonly section: Section
  readonly ca: string | undefined
}

/** Undefined when the user logs in without one. */
export function pluginOf(user: Section, cluster: PluginCluster, folder: string): Plugin | undefined {
  if (user.has('exec')) return execPlugin(user, cluster, folder)
  return user.has('auth-provider') ? oidcPlugin(user, folder) : undefined
}

const execApi = 'client.authentication.k8s.io/'

function execPlugin(user: Section, cluster: PluginCluster, folder: string): Plugin {
  const exec = user.section('exec')
  const apiVersion = exec.required('apiVersion')
  if (apiVersion !== `${execApi}v1` && apiVersion !== `${execApi}v1beta1`) {
    throw exec.broken(`has the apiVersion ${apiVersion}: v1 and v1beta1 of ${execApi.slice(0, -1)} are known`)
  }
  if (exec.text('interactiveMode') === 'Always') {
    throw exec.broken('needs a terminal (interactiveMode: Always), and there is none: use a login that does not ask questions')
  }
  const command = commandPath(exec.required('command'), folder)
  const env = exec.sections('env').map((entry) => ({ name: entry.required('name'), value: entry.text('value') ?? '' }))
  const info = execInfo(apiVersion, exec.flag('provideClusterInfo') ? cluster : undefined)
  const installHint = exec.text('installHint')
  return {
    user: {
      name: user.name,
      exec: { apiVersion, command, args: exec.texts('args'), env: [...env, { name: 'KUBERNETES_EXEC_INFO', value: info }] },
    },
    what: `the program ${command} of its exec`,
    ...(installHint === undefined ? {} : { installHint }),
  }
}

/** A bare name is looked up in PATH; anything else starts from the folder of the kubeconfig. */
function commandPath(command: string, folder: string): string {
  return isAbsolute(command) || !/[\\/]/.test(command) ? command : resolve(folder, command)
}

const clusterFields = ['server', 'tls-server-name', 'proxy-url'] as const

/** How a plugin learns which version of the protocol is spoken, that nobody is there to be asked, and for which cluster it works. */
function execInfo(apiVersion: string, cluster: PluginCluster | undefined): string {
  const known = cluster === undefined ? {} : { cluster: clusterInfo(cluster) }
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: { ...known, interactive: false } })
}

function clusterInfo({ section, ca }: PluginCluster): Record<string, string | boolean> {
  const info: Record<string, string | boolean> = {}
  for (const field of clusterFields) {
    const value = section.text(field)
    if (value !== undefined) info[field] = value
  }
  if (ca !== undefined) info['certificate-authority-data'] = Buffer.from(ca).toString('base64')
  if (section.flag('insecure-skip-tls-verify')) info['insecure-skip-tls-verify'] = true
  return info
}

function oidcPlugin(user: Section, folder: string): Plugin {
  const provider = user.section('auth-provider')
  const name = provider.required('name')
  if (name !== 'oidc') {
    throw provider.broken(`is ${name}, which Kubernetes has given up: use the exec plugin that the provider offers instead`)
  }
  const section = provider.section('config')
  const config: Record<string, string> = {}
  for (const key of section.keys()) config[key] = section.text(key) ?? ''
  const authority = section.text('idp-certificate-authority')
  if (authority !== undefined) config['idp-certificate-authority'] = resolve(folder, authority)
  return { user: { name: user.name, authProvider: { name, config } }, what: 'the OpenID provider of its auth-provider' }
}
