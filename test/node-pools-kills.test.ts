import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Node, Secret } from '@windlass/api'
import { formatTime, type Random, seededRandom } from '@windlass/core'
import { catalogueResolver, sampleCatalogue } from '@windlass/hosted'
import { atMost, availableAtLeast } from '../packages/hosted/src/node-pool/simulation/invariants.ts'
import { laws } from '../packages/hosted/src/node-pool/simulation/laws.ts'
import { AskedCluster } from './hosted/asked-cluster.ts'
import { homeOf, namespace } from './hosted/cluster.ts'
import type { TestRelease } from './hosted/releases.ts'
import { Stage } from './hosted/stage.ts'
import { ownDefinitions } from './hosted/story.ts'
import { AskedPool } from './node-pools/asked-pool.ts'
import { askingFor } from './node-pools/ignition.ts'
import { aClusterForNodes, aPool } from './node-pools/objects.ts'
import { statesSince, violationsSince } from './node-pools/record.ts'
import { poolKinds } from './node-pools/story.ts'

/** Where the control plane is asked to go at the same time as nodes are asked to go to a version, so that these are always in the safe window. */
const controlPlanes: Readonly<Record<string, string>> = { '4.18.18': '4.18.19', '4.18.19': '4.19.15', '4.19.14': '4.20.6' }
const versions = ['4.18.18', '4.18.19', '4.19.12', '4.19.14', '4.19.15', '4.20.4', '4.20.6']
const upgrades = versions.length - 1
/** About so many are seen. */
const writesOfAnUpgrade = 120
const seed = process.env['KILL_SEED'] ?? '1'
const expires = 'hypershift.openshift.io/ignition-token-expiration-timestamp'

describe(`kill -9 of the operator during ${upgrades} upgrades of nodes (KILL_SEED=${seed})`, { timeout: 300_000 }, () => {
  let stage: Stage
  let prod: AskedCluster
  let workers: AskedPool
  let metal: AskedPool
  let [kills, inTheMiddle] = [0, 0]

  const releaseOf = async (version: string): Promise<TestRelease> => {
    const { version: is, pullspec, image } = await catalogueResolver(sampleCatalogue()).resolve(`example.com/ocp/release:${version}-x86_64`)
    return { version: is, pullspec, image }
  }
  const isDone = (release: TestRelease): boolean => workers.isAt(release, 3) && metal.isAt(release, 2)

  before(async () => {
    stage = await Stage.set({ definitions: ownDefinitions(), seed, pools: poolKinds })
    prod = new AskedCluster(stage, 'prod')
    workers = new AskedPool(stage, 'prod', 'workers')
    metal = new AskedPool(stage, 'prod', 'metal')
    await stage.k.ok`create namespace ${namespace}`
  })
  after(() => stage.clear())

  /** Kills it after so many more writes, at any instant of what follows; sometimes its successor as well, while that starts. */
  async function kill(random: Random, release: TestRelease): Promise<void> {
    const enough = stage.recorder.size + random.below(writesOfAnUpgrade)
    await workers.until('to move', () => stage.recorder.size >= enough || isDone(release))
    await sleep(random.next() * 30)
    for (let again = true; again; again = random.below(4) === 0) {
      kills++
      if (!isDone(release)) inTheMiddle++
      await stage.killOperator()
      await sleep(random.next() * 1000)
    }
  }

  it('gets every pool to every version, loses no machine and leaves none over', async () => {
    const random = seededRandom(`${seed}/kills`)
    const first = await releaseOf(versions[0] ?? '')
    const pool = { cluster: 'prod', release: first }
    const request = [
      aClusterForNodes('prod', await releaseOf(controlPlanes[first.version] ?? '')),
      aPool('workers', { ...pool, replicas: 3, management: { upgradeType: 'Replace', autoRepair: false } }),
      aPool('metal', { ...pool, replicas: 2, management: { upgradeType: 'InPlace', autoRepair: false } }),
    ]
    await stage.k.with({ input: request.join('\n---\n') }).ok`create -f -`
    await workers.until('to have machines', () => workers.machines.length > 0)
    await stage.recorder.follow(stage.server, Node, homeOf('prod'))
    for (const version of versions) {
      const release = await releaseOf(version)
      const { [version]: next } = controlPlanes
      if (next !== undefined) await prod.upgrade(await releaseOf(next))
      if (version !== first.version) await Promise.all([workers.upgrade(release), metal.upgrade(release)])
      await kill(random, release)
      await workers.untilAt(release, 3)
      await metal.untilAt(release, 2)
      if (next !== undefined) await prod.untilAt(await releaseOf(next))
    }
    assert.ok(kills >= versions.length && inTheMiddle > upgrades / 2, `${inTheMiddle} of ${kills} kills were in the middle of something`)
    const guest = await prod.kubectlOfGuest()
    const nodes = (await guest.ok`get nodes -o name`).trim().split('\n')
    assert.equal(nodes.length, 5, nodes.join())
  })

  it('lets nobody in with a token whose time has come, whoever was killed meanwhile', async () => {
    const isMarked = ({ metadata }: Secret): boolean => metadata.annotations?.[expires] !== undefined
    const marked = () => [...workers.secrets, ...metal.secrets].filter(isMarked).map(({ metadata }) => metadata.name ?? '')
    const soon = `${expires}=${formatTime(Date.now() + 5000)}`
    await stage.k.ok([`-n ${workers.home} annotate --overwrite secret ${marked().join(' ')} ${soon}`])
    await stage.killOperator()
    await stage.operatorIsReady()
    await workers.until('to have lost its former tokens', () => marked().length === 0)
    for (const pool of [workers, metal]) {
      const ask = await askingFor({ stage, prod }, pool)
      const isCurrent = ({ hash }: Token): boolean => hash === pool.hash
      const tokens = tokensOf(pool)
      const [current, ...more] = tokens.filter(isCurrent)
      assert.ok(current !== undefined && more.length === 0 && tokens.length >= versions.length, `there were ${tokens.length} tokens`)
      while ((await ask(current.token, current.hash)) !== 200) await sleep(50)
      for (const { token, hash } of tokens.filter((each) => !isCurrent(each)))
        assert.equal(await ask(token, hash), 511, `${pool.name} ${hash}`)
    }
  })

  interface Token {
    readonly token: string
    readonly hash: string
  }

  /** Every token that a pool ever had. */
  function tokensOf({ name }: AskedPool): readonly Token[] {
    const ofPool = new RegExp(`/${Secret.plural}/.*/token-${name}-(\\w+)$`)
    const tokens = stage.recorder.changes().flatMap(({ key, bytes }): readonly Token[] => {
      const hash = ofPool.exec(key)?.[1]
      if (hash === undefined) return []
      const { data } = JSON.parse(bytes.toString()) as Secret
      return data?.['token'] === undefined ? [] : [{ token: Buffer.from(data['token'], 'base64').toString(), hash }]
    })
    return [...new Map(tokens.map((each) => [each.token, each])).values()]
  }

  it('obeyed the rules after every write', async () => {
    const changes = stage.recorder.changes()
    const rules = [atMost(4), availableAtLeast(3), atMost(2, 'metal'), ...laws()]
    assert.deepEqual(violationsSince(0, changes, rules), [])
    for (const name of ['workers', 'metal']) {
      const seen = statesSince(0, changes, name, (pool) => pool.status?.version ?? '').filter((version) => version !== '')
      assert.deepEqual(seen, versions, `${name} says each version once, in their order`)
    }
    await workers.until('to have nothing for machines but what they need', () =>
      workers.secrets.every(({ metadata }) => metadata.name?.endsWith(workers.hash) === true),
    )
  })
})
