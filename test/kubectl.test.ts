import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findKubectls, type KubectlBinary } from '../scripts/tools/kubectl.ts'
import { checks } from './kubectl/index.ts'
import { client } from './support/client.ts'
import { kubectl } from './support/kubectl.ts'
import { type RunningServer, startServer } from './support/windlass.ts'

/** Where our own definitions are: each kubectl applies them itself before the checks. */
const definitions = join(import.meta.dirname, '../deploy/crds')

const tokens = 'dev-token,dev,dev-uid\n'

/** The whole table with one kubectl, on a server of its own. */
function checksWith(binary: KubectlBinary): void {
  let server: RunningServer
  let api: ReturnType<typeof client>

  before(async () => {
    server = await startServer({ args: ['--memory'], tokens })
    api = client(server)
    const home = mkdtempSync(join(server.directory, 'home-'))
    await kubectl(binary, { kubeconfig: server.kubeconfig, home, namespace: 'default' }).ok`apply -f ${definitions}`
  })
  after(async () => {
    api.close()
    await server.stop()
    rmSync(server.directory, { recursive: true, force: true })
  })

  for (const [index, { title, run }] of checks.filter(({ since = 0 }) => since <= binary.minor).entries()) {
    it(title, async () => {
      const namespace = `check-${index + 1}`
      const home = join(server.directory, 'home')
      mkdirSync(home, { recursive: true })
      await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
      await run({ k: kubectl(binary, { kubeconfig: server.kubeconfig, home, namespace }), namespace, api, server, folder: home })
    })
  }
}

describe('kubectl', { concurrency: 2 }, async () => {
  for (const binary of await findKubectls()) describe(binary.version, () => checksWith(binary))
})
