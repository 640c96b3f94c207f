import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { HostedControlPlane } from '@windlass/api'
import { aRequest, componentNames, homeOf, namespace } from './cluster.ts'
import { assertInOrder } from './order.ts'
import { releases } from './releases.ts'
import type { Scene } from './story.ts'

const first = releases['4.18.19']
const second = releases['4.18.20']
const third = releases['4.19.6']

/** Made without nodes, upgraded within its stream, refused, paused, resumed, and upgraded to the next stream. */
export function theLifeOfDev(at: () => Scene): void {
  it('is installed without any nodes', async () => {
    const { stage, dev } = at()
    await stage.k.with({ input: aRequest('dev', first) }).ok`create -f -`
    await dev.waitFor('Available')
    await dev.untilAt(first)
    assert.match(await stage.k.ok`-n ${namespace} get nodepools -o name`, /^(nodepool\.hypershift\.openshift\.io\/prod-workers\n)?$/)
  })

  it('could not be given a field that the definitions do not have without a warning', async () => {
    const { k } = at().stage
    for (const [type, change] of [
      ['merge', { status: { nonsense: 1 } }],
      ['json', [{ op: 'add', path: '/status/nonsense', value: 1 }]],
    ] as const) {
      const { status, stderr } = await k.run`-n ${namespace} patch hc dev --subresource=status --type=${type} -p ${change} --dry-run=server`
      assert.deepEqual([status, stderr], [0, 'Warning: unknown field "status.nonsense"\n'])
    }
  })

  it('is upgraded within its stream', async () => {
    const { stage, dev } = at()
    await dev.upgrade(second)
    await dev.untilAt(second)
    assert.deepEqual(dev.history(), ['Completed 4.18.20', 'Completed 4.18.19'])
    assert.deepEqual(imagesOf(at()), [second.image, first.image])
    await stage.recorder.assert((changes) => assertInOrder(changes, 'dev', second, componentNames))
  })

  it('L19 is not taken back to an earlier stream, and says so', async () => {
    const { dev } = at()
    await dev.upgrade(releases['4.17.9'])
    await dev.waitFor('ValidReleaseImage', 'False')
    const { reason, message } = dev.condition('ValidReleaseImage') ?? {}
    assert.deepEqual([reason, message], ['InvalidImage', 'y-stream downgrade from "4.18.20" to "4.17.9" is not supported'])
    await dev.until('to be blocked', () => dev.condition('Progressing')?.reason === 'Blocked')
    await dev.upgrade(second)
    await dev.waitFor('ValidReleaseImage', 'True')
    assert.deepEqual(dev.history(), ['Completed 4.18.20', 'Completed 4.18.19'])
  })

  it('L13 is not upgraded to a stream that the guest objects to, and says why', async () => {
    const { dev } = at()
    const guest = await dev.kubectlOfGuest()
    await guest.ok`annotate clusterversion version simulator.windlass.dev/fail=not-upgradeable`
    await dev.waitFor('ClusterVersionUpgradeable', 'False')
    await dev.upgrade(third)
    await dev.until('to be blocked', () => dev.condition('Progressing')?.reason === 'Blocked')
    const { status, message = '' } = dev.condition('Progressing') ?? {}
    assert.deepEqual([status, message.startsWith('ClusterVersionUpgradeable condition is false')], ['False', true], message)
    assert.equal(dev.controlPlane?.spec.releaseImage, second.pullspec)
  })

  it('L24 stands still while it is paused, whatever is asked for', async () => {
    const { dev } = at()
    await dev.patch({ spec: { pausedUntil: 'true' } })
    await dev.waitFor('ReconciliationActive', 'False')
    await dev.until('to pause its control plane', () => dev.controlPlane?.spec.pausedUntil === 'true')
    const guest = await dev.kubectlOfGuest()
    await guest.ok`annotate clusterversion version simulator.windlass.dev/fail-`
    await dev.until(
      'to be upgradeable, as far as the guest is concerned',
      () => dev.condition('ClusterVersionUpgradeable')?.status === 'True',
    )
    assert.equal(dev.condition('ReconciliationActive')?.reason, 'ReconciliationPaused')
    assert.deepEqual(dev.history(), ['Completed 4.18.20', 'Completed 4.18.19'])
  })

  it('goes on to the next stream when it is resumed, in the order of dependencies', async () => {
    const { stage, dev } = at()
    await dev.patch({ spec: { pausedUntil: null } })
    await dev.waitFor('ReconciliationActive', 'True')
    await dev.untilAt(third)
    assert.deepEqual(dev.history(), ['Completed 4.19.6', 'Completed 4.18.20', 'Completed 4.18.19'])
    await stage.recorder.assert((changes) => assertInOrder(changes, 'dev', third, componentNames))
    assertNothingWhilePaused(at())
  })
}

/** No control plane that was paused was ever told to run what was asked for meanwhile. */
function assertNothingWhilePaused({ stage }: Scene): void {
  const seen = stage.recorder.changes().flatMap(({ key, bytes }) => {
    if (!key.includes(`/hostedcontrolplanes/${homeOf('dev')}/`)) return []
    const { spec, status } = JSON.parse(bytes.toString()) as HostedControlPlane
    return spec.pausedUntil === 'true' ? [`${spec.releaseImage} ${status?.controlPlaneVersion?.history?.[0]?.state}`] : []
  })
  assert.deepEqual([...new Set(seen)], [`${second.pullspec} Completed`])
}

const imagesOf = ({ dev }: Scene): readonly string[] => (dev.object?.status?.controlPlaneVersion?.history ?? []).map(({ image }) => image)
