import type { ApiServer } from '../server/server.ts'
import { gadgets, logicalClusters, widgets } from './definitions.ts'
import { aLogicalCluster, urls } from './objects.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts'

/** Where the API of a logical cluster begins. */
export const inCluster = (name: string): string => `/clusters/${name}`

/** A server that has logical clusters, with kubeconfigs that are nothing but an address and a token. */
export async function startWithClusters(options: TestServerOptions = {}): Promise<TestServer> {
  let api: ApiServer | undefined
  const access = (cluster: string, clusterUid: string): { url: string; kubeconfig: string } | undefined => {
    if (api === undefined) return undefined
    const url = `https://test.example.com${inCluster(cluster)}`
    const token = api.authenticator.issueClusterToken({
      cluster,
      clusterUid,
      user: 'admin',
      groups: ['system:masters'],
      id: 'id',
      now: server.clock.now(),
    })
    return { url, kubeconfig: `server: ${url}\ntoken: ${token}\n` }
  }
  const server = await startTestServer({ definitions: [widgets, gadgets, logicalClusters], access, ...options })
  api = server.api
  api.reachable()
  await server.settle()
  return server
}

export async function createCluster(server: TestServer, name: string, template?: string): Promise<void> {
  await server.create(urls.logicalClusters, aLogicalCluster(name, template === undefined ? {} : { template }))
  await server.settle()
}
