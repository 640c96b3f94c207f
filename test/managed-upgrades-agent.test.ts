import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ClusterVersion } from '@windlass/api'
import { Stage } from './managed-upgrades/stage.ts'

describe("a managed upgrade by way of OCM's agent in the cluster", { timeout: 120_000 }, () => {
  let stage: Stage
  before(async () => {
    stage = await Stage.set({
      asksAgent: true,
      config: (url) => `
upgradeType: ARO
configManager: { source: OCM, ocmBaseUrl: "${url}", watchInterval: 5 }
maintenance: { controlPlaneTime: 900 }
scale: { timeOut: 900 }
featureGate: { enabled: [ServiceLogNotification] }
`,
    })
  })
  after(() => stage?.clear())

  it('begins though the agent talks nonsense, is busy and slow at first', async () => {
    const { ocm: agent } = stage.ocm
    agent.fail({ is: 'wrong', times: 1 })
    agent.fail({ is: 'status', status: 503, times: 1 })
    agent.fail({ is: 'slow', by: 500, times: 1 })
    stage.schedule('4.18.16', 1)
    // Else the UpgradeConfig might be gone before anybody has looked at how it ended.
    agent.memory.overlookEnd('p1')
    await stage.untilPhase('Upgrading')
    const { spec, metadata } = (await stage.upgradeConfig()) ?? assert.fail('there is no UpgradeConfig')
    assert.deepEqual([spec.type, spec.desired], ['ARO', { version: '4.18.16', channel: 'stable-4.18' }])
    assert.equal(metadata.annotations?.['upgrade.managed.openshift.io/ocm-policy-id'], 'p1')
    await stage.untilDone('UpgradeCommenced')
    assert.deepEqual(stage.told(), ['started'])
  })

  it('waits while the agent is away, says so, and goes on when it is back', async () => {
    await stage.closeOcm()
    await stage.until('the control plane to be upgraded', async () => {
      const { status } = await stage.client.get(ClusterVersion, { name: 'version' })
      return status?.history?.[0]?.version === '4.18.16' && status.history[0].state === 'Completed'
    })
    await stage.until('that to be said', async () => /OCM|ocm-agent/.test((await stage.step('ControlPlaneUpgraded'))?.message ?? ''))
    assert.equal((await stage.entry())?.phase, 'Upgrading')
    await stage.openOcm()
    await stage.untilPhase('Upgraded')
  })

  it('told the agent everything once that it has a way for, and asked it for nothing else', () => {
    assert.deepEqual(stage.told(), ['started', 'completed'])
    assert.match(stage.operator.log(), /the OCM agent has no route for service logs/)
    const { requests } = stage.ocm.ocm
    const answered = requests.filter(({ status }) => status === 200).map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual([...new Set(answered)].toSorted(), [
      'GET /',
      'GET /upgrade_policies',
      'GET /upgrade_policies/p1/state',
      'PATCH /upgrade_policies/p1/state',
    ])
  })

  it('its UpgradeConfig goes when OCM wants nothing any more', async () => {
    stage.ocm.ocm.memory.noticeEnd('p1')
    await stage.until('the UpgradeConfig to go', async () => (await stage.upgradeConfig()) === undefined)
  })
})
