import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedControlPlane } from '@windlass/api'
import { aReleaseImage, aVersionStatus } from '@windlass/api/fixtures'
import { aCompleteCluster, aControlPlane, aNewCluster, noon } from './testing/index.ts'
import { versionStatus } from './version.ts'

const oldStyle = (status: Partial<NonNullable<HostedControlPlane['status']>>, release = '4.19.6') =>
  aControlPlane({ release, status: { ready: true, initialized: true, ...status } })

describe('status.version of a cluster', () => {
  it('is what the guest reports, unchanged', () => {
    const reported = aVersionStatus('4.20.1')
    assert.equal(versionStatus(aCompleteCluster(), oldStyle({ versionStatus: reported }), noon), reported)
  })

  it('W3 begins with what is asked for, and says null where a key must be', () => {
    const image = aReleaseImage('4.20.1')
    const cluster = aNewCluster({ metadata: { generation: 4 }, spec: { controlPlaneRelease: { image } } })
    assert.deepEqual(versionStatus(cluster, undefined, noon), {
      desired: { version: '', image },
      history: [{ state: 'Partial', startedTime: '2026-03-06T12:00:00Z', completionTime: null, image, verified: false }],
      observedGeneration: 4,
      availableUpdates: null,
    })
  })

  it('stays as it is while nothing else is asked for', () => {
    const cluster = aCompleteCluster()
    assert.equal(versionStatus(cluster, undefined, noon + 1000), cluster.status?.version)
  })

  it('gets another entry when something else is asked for', () => {
    const cluster = aCompleteCluster({ status: { version: aVersionStatus('4.18.4') } })
    const { desired, history = [] } = versionStatus(cluster, undefined, noon)
    assert.equal(desired.image, aReleaseImage('4.19.6'))
    assert.deepEqual(
      history.map(({ state, image }) => `${state} ${image}`),
      [`Partial ${aReleaseImage('4.19.6')}`, `Completed ${aReleaseImage('4.18.4')}`],
    )
  })

  it('is completed by what control planes of old say', () => {
    const cluster = aNewCluster()
    const begun = versionStatus(cluster, undefined, noon)
    const said = { releaseImage: aReleaseImage('4.19.6'), version: '4.19.6', lastReleaseImageTransitionTime: '2026-03-06T12:30:00Z' }
    const { history = [] } = versionStatus({ ...cluster, status: { version: begun } }, oldStyle(said), noon)
    assert.deepEqual(history[0], { ...begun.history?.[0], state: 'Completed', version: '4.19.6', completionTime: '2026-03-06T12:30:00Z' })
    const elsewhere = versionStatus({ ...cluster, status: { version: begun } }, oldStyle(said, '4.18.4'), noon)
    assert.equal(elsewhere, begun)
  })
})
