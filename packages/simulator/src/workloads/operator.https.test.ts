import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Deployment, Namespace } from '@windlass/api'
import { startEmbedded } from '@windlass/apiserver'
import { until } from '@windlass/apiserver/testing'
import { systemClock as clock, systemRandom as random } from '@windlass/core'
import { createClient, createMetrics, createOperator, fixedCredentials, HttpsTransport, silentLog as log } from '@windlass/kube'
import { workloadControllers } from './index.ts'
import { deploymentDraft, imageOf, isRolledOut, namespace, toImage } from './testing/index.ts'

describe('over HTTPS and in real time', () => {
  it('a Deployment rolls out as in virtual time', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'windlass-workloads-'))
    const embedded = await startEmbedded({ directory, durability: 'relaxed' })
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${embedded.adminToken}` } })
    const transport = new HttpsTransport({ server: embedded.url, ca: embedded.ca, credentials })
    const client = createClient({ transport, clock, random, userAgent: 'test', fieldManager: 'test' })
    const controllers = workloadControllers({ seed: 1, speed: Number.POSITIVE_INFINITY, routes: false })
    const stop = new AbortController()
    const running = createOperator({ client, clock, random, log, metrics: createMetrics(), controllers, instance: 'test' }).run(stop.signal)
    try {
      const ref = { namespace, name: 'web' }
      const isUp = async (): Promise<boolean> => isRolledOut(await client.find(Deployment, ref))
      await client.create(Namespace, { metadata: { name: namespace } })
      await client.create(Deployment, deploymentDraft('web', { replicas: 2 }))
      await until(isUp)
      await client.patch(Deployment, ref, toImage('web', imageOf('2')))
      await until(isUp)
    } finally {
      stop.abort(new Error('the test is over'))
      await running.catch(() => {})
      await client.close()
      await embedded.close()
      rmSync(directory, { recursive: true })
    }
  })
})
