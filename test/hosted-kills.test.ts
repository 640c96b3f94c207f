import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ControlPlaneComponent, HostedControlPlane } from '@windlass/api'
import { type Random, seededRandom } from '@windlass/core'
import { catalogueResolver, sampleCatalogue } from '@windlass/hosted'
import { AskedCluster } from './hosted/asked-cluster.ts'
import { aSmallRequest, homeOf, namespace } from './hosted/cluster.ts'
import type { TestRelease } from './hosted/releases.ts'
import { violationsIn } from './hosted/replay.ts'
import { Stage } from './hosted/stage.ts'
import { ownDefinitions } from './hosted/story.ts'

const upgrades = 20
/** About so many are seen. */
const writesOfAnUpgrade = 250
const seed = process.env['KILL_SEED'] ?? '1'

/** Within a stream, to the next one, and from one build of a version to another, where only the image tells that there is something to do. */
const path = Array.from({ length: upgrades + 1 }, (_, step) => {
  const minor = step <= upgrades / 2 ? 18 : 19
  const patch = Math.floor((step % (upgrades / 2 + 1)) / 2) + 1
  return `example.com/ocp/release:4.${minor}.${patch}-${step % 2 === 0 ? 'x86_64' : 'multi'}`
})

describe(`kill -9 of the operator during ${upgrades} upgrades (KILL_SEED=${seed})`, { timeout: 600_000 }, () => {
  let stage: Stage
  let cluster: AskedCluster
  let releases: readonly TestRelease[]
  let target: TestRelease
  let [kills, inTheMiddle] = [0, 0]

  before(async () => {
    const resolver = catalogueResolver(sampleCatalogue())
    releases = await Promise.all(path.map((pullspec) => resolver.resolve(pullspec)))
    stage = await Stage.set({ definitions: ownDefinitions(), seed })
    cluster = new AskedCluster(stage, 'prod')
    await stage.k.ok`create namespace ${namespace}`
  })
  after(() => stage.clear())

  const isAtTarget = (): boolean => {
    const newest = cluster.object?.status?.controlPlaneVersion?.history?.[0]
    return newest?.state === 'Completed' && newest.image === target.image
  }

  /** Kills it after so many more writes, at any instant of what follows; sometimes its successor as well, while that starts. */
  async function kill(random: Random): Promise<void> {
    const enough = stage.recorder.size + random.below(writesOfAnUpgrade)
    await cluster.until('to move', () => stage.recorder.size >= enough || isAtTarget())
    await sleep(random.next() * 30)
    await killNow()
    if (random.below(5) > 0) return
    await sleep(random.next() * 1500)
    await killNow()
  }

  async function killNow(): Promise<void> {
    kills++
    if (!isAtTarget()) inTheMiddle++
    await stage.killOperator()
  }

  it('loses no entry of the history, doubles none, and completes none too early', async () => {
    const random = seededRandom(`${seed}/kills`)
    for (const [step, release] of releases.entries()) {
      target = release
      if (step === 0) await stage.k.with({ input: aSmallRequest('prod', release) }).ok`create -f -`
      else await cluster.upgrade(release)
      await kill(random)
      await cluster.until(`to be at ${release.pullspec}`, isAtTarget)
    }
    const expected = releases.toReversed().map(({ version, image }) => ({ state: 'Completed', version, image }))
    await stage.operatorIsReady()
    const { status } = cluster.controlPlane ?? assert.fail()
    assert.deepEqual(
      status?.controlPlaneVersion?.history?.map(({ state, version, image }) => ({ state, version, image })),
      expected,
    )
    assert.deepEqual(cluster.object?.status?.controlPlaneVersion, status?.controlPlaneVersion)
    assert.ok(kills > upgrades && inTheMiddle > upgrades / 2, `${inTheMiddle} of ${kills} kills were in the middle of something`)
  })

  it('obeyed the rules after every write', () => {
    const changes = stage.recorder.changes()
    assert.deepEqual(violationsIn(changes), [])
    const blind = changes.filter(({ key }) => !key.includes(`/${ControlPlaneComponent.plural}/`))
    assert.ok(violationsIn(blind).length > upgrades, 'without components nothing could have been completed: the rules see that')
    const prefix = `/${HostedControlPlane.plural}/${homeOf('prod')}/`
    assert.ok(changes.filter(({ key }) => key.includes(prefix)).length > 3 * upgrades, 'every state of the control plane was seen')
  })
})
