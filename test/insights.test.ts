import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ownDefinitions } from './hosted/story.ts'
import { theControlPlane } from './insights/control-plane.ts'
import { theEnd } from './insights/end.ts'
import { theNodes } from './insights/nodes.ts'
import { theRequest } from './insights/request.ts'
import { refusals } from './insights/schemas.ts'
import { Stage } from './insights/stage.ts'
import { WatchedCluster } from './insights/watched-cluster.ts'
import { isUpstreamHere, upstreamFolder } from './upstream-crds/definitions.ts'

/**
 * The update of a classic cluster from before it was asked for until everything is over, with a real kubectl. The processes that tell of it are those of
 * production; the cluster is simulated, at high speed.
 */
describe('insights into the update of a cluster', { concurrency: false, timeout: 300_000 }, () => {
  let stage: Stage | undefined
  const cluster = (): WatchedCluster => new WatchedCluster(stage ?? assert.fail('the stage is not set'))
  const kill = (): Promise<void> => stage?.killOperator() ?? assert.fail('the stage is not set')

  before(async () => {
    stage = await Stage.set(ownDefinitions())
  })
  after(async () => {
    if (stage !== undefined) assert.deepEqual(await stage.clear(), [0, 0], 'operator and simulator end when they are asked to')
  })

  describe('before it begins', { concurrency: false }, () => theRequest(cluster))
  describe('while the control plane is updated', { concurrency: false }, () => theControlPlane(cluster, kill))
  describe('while nodes are updated', { concurrency: false }, () => theNodes(cluster, kill))
  describe('when it is over', { concurrency: false }, () => theEnd(cluster))

  it('were never refused, and have no field that the definitions do not have', () => {
    assert.deepEqual(stage?.complaints(), [])
  })

  it('and everything that is simulated pass the schemas of real clusters, all that was ever written', async (t) => {
    if (!isUpstreamHere) return t.skip(`${upstreamFolder} is not here`)
    assert.deepEqual(await refusals(stage?.recorder.changes() ?? []), [])
  })
})
