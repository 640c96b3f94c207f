import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { dump, load } from 'js-yaml'
import { findKubectls, type KubectlBinary } from '../scripts/tools/kubectl.ts'
import { checks, type Scene } from './kubectl/index.ts'
import { client } from './support/client.ts'
import { type Kubectl, kubectl } from './support/kubectl.ts'
import { credentialsIn, type RunningServer, startServer } from './support/windlass.ts'

/** Our own definitions. Each kubectl applies them itself before the checks. */
const definitions = join(import.meta.dirname, '../deploy/crds')

/** A user who may do nothing unless told. */
const tokens = 'dev-token,dev,dev-uid\n'

/** Chooses the API on a new server: gives the kubeconfig that leads there. */
type Entrance = (server: RunningServer, k: Kubectl) => Promise<string>

const root: Entrance = (server) => Promise.resolve(server.kubeconfig)

const logicalCluster: Entrance = async (server, k) => {
  const guest = { apiVersion: 'windlass.dev/v1alpha1', kind: 'LogicalCluster', metadata: { name: 'guest' }, spec: {} }
  await k.with({ input: dump(guest) }).ok`create -f -`
  await k.ok`wait --for=condition=Ready logicalcluster/guest --timeout=20s`
  const kubeconfig = join(server.directory, 'guest.kubeconfig')
  const encoded = await k.ok`-n kube-system get secret guest-kubeconfig -o ${'jsonpath={.data.kubeconfig}'}`
  writeFileSync(kubeconfig, Buffer.from(encoded, 'base64'), { mode: 0o600 })
  return kubeconfig
}

/** A server with our definitions, for one kubectl alone. */
interface Stage {
  /** An empty namespace on it. */
  scene(namespace: string): Promise<Scene>
  close(): Promise<void>
}

async function openStage(binary: KubectlBinary, enter: Entrance): Promise<Stage> {
  const server = await startServer({ args: ['--memory'], tokens })
  const end = async (): Promise<void> => {
    await server.stop()
    rmSync(server.directory, { recursive: true, force: true })
  }
  try {
    const kubeconfig = await enter(server, kubectlIn(server, binary, server.kubeconfig, 'default').k)
    const { k } = kubectlIn(server, binary, kubeconfig, 'default')
    await k.ok`apply -k ${definitions}`
    await k.ok`wait --for=condition=Established --timeout=60s crd --all`
    const credentials = credentialsIn(kubeconfig)
    const api = client(credentials)
    return {
      async scene(namespace) {
        await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
        return { ...kubectlIn(server, binary, kubeconfig, namespace), namespace, api, server: credentials }
      },
      async close() {
        api.close()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

interface Kubeconfig {
  readonly contexts: readonly { readonly context: object }[]
}

/** A kubectl whose current context is in this namespace, with a folder of its own. */
function kubectlIn(server: RunningServer, binary: KubectlBinary, kubeconfig: string, namespace: string): { k: Kubectl; folder: string } {
  const home = join(server.directory, 'home')
  const folder = join(home, namespace)
  mkdirSync(folder, { recursive: true })
  const config = load(readFileSync(kubeconfig, 'utf8')) as Kubeconfig
  const contexts = config.contexts.map((entry) => ({ ...entry, context: { ...entry.context, namespace } }))
  const own = join(folder, 'kubeconfig')
  writeFileSync(own, dump({ ...config, contexts }), { mode: 0o600 })
  return { k: kubectl(binary, { kubeconfig: own, home, folder }), folder }
}

/** The whole table with one kubectl. */
function checksWith(binary: KubectlBinary, enter: Entrance): void {
  let stage: Stage | undefined
  before(async () => {
    stage = await openStage(binary, enter)
  })
  after(() => stage?.close())
  for (const [index, { title, run }] of checks.filter(({ since = 0 }) => since <= binary.minor).entries()) {
    it(title, async () => {
      assert.ok(stage)
      await run(await stage.scene(`check-${index + 1}`))
    })
  }
}

// Checks do not touch each other, so those of one kubectl run side by side too: they inherit the number.
describe('kubectl', { concurrency: availableParallelism() }, async () => {
  const binaries = await findKubectls()
  for (const binary of binaries) describe(binary.version, () => checksWith(binary, root))
  const newest = binaries.at(-1)
  if (newest !== undefined) describe(`${newest.version} in a logical cluster`, () => checksWith(newest, logicalCluster))
})
