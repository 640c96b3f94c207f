import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { dump, load } from 'js-yaml'
import { findKubectls, type KubectlBinary } from '../scripts/tools/kubectl.ts'
import { checks } from './kubectl/index.ts'
import { client } from './support/client.ts'
import { type Kubectl, kubectl } from './support/kubectl.ts'
import { type RunningServer, startServer } from './support/windlass.ts'

/** Our own definitions. Each kubectl applies them itself before the checks. */
const definitions = join(import.meta.dirname, '../deploy/crds')

/** A user who may do nothing unless told. */
const tokens = 'dev-token,dev,dev-uid\n'

/** The whole table with one kubectl, on a server of its own. */
function checksWith(binary: KubectlBinary): void {
  let server: RunningServer
  let api: ReturnType<typeof client>

  before(async () => {
    server = await startServer({ args: ['--memory'], tokens })
    api = client(server)
    await kubectlIn(server, binary, 'default').k.ok`apply -f ${definitions}`
  })
  after(async () => {
    api.close()
    await server.stop()
    rmSync(server.directory, { recursive: true, force: true })
  })

  for (const [index, { title, run }] of checks.filter(({ since = 0 }) => since <= binary.minor).entries()) {
    it(title, async () => {
      const namespace = `check-${index + 1}`
      await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
      await run({ ...kubectlIn(server, binary, namespace), namespace, api, server })
    })
  }
}

interface Kubeconfig {
  readonly contexts: readonly { readonly context: object }[]
}

/** A kubectl whose current context is in this namespace, with a folder of its own. */
function kubectlIn(server: RunningServer, binary: KubectlBinary, namespace: string): { readonly k: Kubectl; readonly folder: string } {
  const home = join(server.directory, 'home')
  const folder = join(home, namespace)
  mkdirSync(folder, { recursive: true })
  const config = load(readFileSync(server.kubeconfig, 'utf8')) as Kubeconfig
  const contexts = config.contexts.map((entry) => ({ ...entry, context: { ...entry.context, namespace } }))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, dump({ ...config, contexts }), { mode: 0o600 })
  return { k: kubectl(binary, { kubeconfig, home, folder }), folder }
}

describe('kubectl', { concurrency: 2 }, async () => {
  for (const binary of await findKubectls()) describe(binary.version, () => checksWith(binary))
})
