import { describe, it } from 'node:test'
import { ClusterVersion, HostedControlPlane, LogicalCluster, Namespace, Secret, toCrd } from '@windlass/api'
import { aClusterVersion, aHostedControlPlane } from '@windlass/api/fixtures'
import { type JsonObject, startEmbedded } from '@windlass/apiserver'
import { until } from '@windlass/apiserver/testing'
import { systemClock, systemRandom } from '@windlass/core'
import { connector, createMetrics, createOperator, silentLog } from '@windlass/kube'
import { statusBridge } from './controller.ts'

const namespace = 'clusters-prod'
const definitions = [HostedControlPlane, LogicalCluster, ClusterVersion].map(
  (kind) => JSON.parse(JSON.stringify(toCrd(kind))) as JsonObject,
)

describe('the status bridge over HTTPS', () => {
  it('L38 reaches a guest by the kubeconfig of its control plane', { timeout: 30_000 }, async () => {
    const embedded = await startEmbedded({ definitions })
    const [clock, random, metrics, log] = [systemClock, systemRandom, createMetrics(), silentLog]
    const connect = connector({ clock, random, metrics, log, fieldManager: 'test', userAgent: 'test' })
    const client = await connect(embedded.kubeconfig, 'the management cluster')
    const operator = createOperator({ client, clock, random, log, metrics, controllers: [statusBridge({ connect })], instance: 'test' })
    const stop = new AbortController()
    const ended = operator.run(stop.signal)
    try {
      await client.create(LogicalCluster, { metadata: { name: 'guest' }, spec: { template: 'root' } })
      let kubeconfig: string | undefined
      await until(async () => {
        const secret = await client.find(Secret, { namespace: 'kube-system', name: 'guest-kubeconfig' })
        kubeconfig = secret?.data?.['kubeconfig']
        return kubeconfig !== undefined
      })
      const { status: _, ...controlPlane } = aHostedControlPlane()
      await client.create(Namespace, { metadata: { name: namespace } })
      await client.create(HostedControlPlane, { ...controlPlane, metadata: { namespace, name: 'prod' } })
      await client.create(Secret, { metadata: { namespace, name: 'admin-kubeconfig' }, data: { kubeconfig: kubeconfig ?? '' } })
      const status = { kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' } }
      await client.patchStatus(HostedControlPlane, { namespace, name: 'prod' }, { status })
      const guest = await connect(Buffer.from(kubeconfig ?? '', 'base64').toString(), 'the guest')
      const { spec, status: reported } = aClusterVersion({ version: '4.19.6' })
      const version = await guest.create(ClusterVersion, { metadata: { name: 'version' }, spec })
      await guest.updateStatus(ClusterVersion, { ...version, ...(reported === undefined ? {} : { status: reported }) })
      await until(
        async () => (await client.get(HostedControlPlane, { namespace, name: 'prod' })).status?.versionStatus?.desired.version === '4.19.6',
      )
      await guest.close()
    } finally {
      stop.abort(new Error('stop'))
      await ended
      await client.close()
      await embedded.close()
    }
  })
})
