import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf } from './support/cpu.ts'
import { type Replica, Stage } from './operator/stage.ts'
import { until } from './support/until.ts'

const leaseDuration = 3000
const electing = ['--leader-elect', `--lease-duration=${leaseDuration}ms`, '--renew-deadline=2s', '--retry-period=500ms']
const rounds = 20
/** From the right moment to the request on the wire, on a machine that has other things to do: usually, and when it stands still just then. */
const slack = { usual: 1000, most: 2500 }

/** The same processes that run in production, each with a network of its own that is watched and unplugged. */
describe('windlass operator', { concurrency: true }, () => {
  describe('alone', { concurrency: false }, () => {
    let stage: Stage
    let replica: Replica
    const get = async (path: string): Promise<string> => (await fetch(`${replica.operator.url}${path}`)).text()
    const reconciles = async (): Promise<number> =>
      Number(/controller_runtime_reconcile_total\{[^}]*result="success"[^}]*\} (\d+)/.exec(await get('/metrics'))?.[1] ?? 0)

    before(async () => {
      stage = await Stage.set()
      replica = await stage.replica('--health-port=0', '--metrics-port=0')
      await replica.start()
    })
    after(() => stage.clear())

    it('N10 keeps status true, and repairs it', async () => {
      await until('the status', async () => (await stage.usable('quiet')) === 'True')
      await stage.spoil('quiet')
      await until('the status again', async () => (await stage.usable('quiet')) === 'True')
    })

    it('N20 says how it is, and what it did and why', async () => {
      assert.equal((await fetch(`${replica.operator.url}/healthz`)).status, 200)
      assert.equal((await fetch(`${replica.operator.url}/readyz`)).status, 200)
      assert.match(await get('/debug/reconcile/LogicalCluster/-/quiet'), /its state is KubeconfigPresent/)
      assert.match(await get('/debug/cache'), /logicalclusters\.windlass\.dev/)
    })

    it('N21 counts under the names that dashboards know', async () => {
      const metrics = await get('/metrics')
      for (const sample of [
        /^controller_runtime_reconcile_total\{controller="logical-cluster-status",result="success"\} \d/m,
        /^controller_runtime_max_concurrent_reconciles\{controller="logical-cluster-status"\} 1$/m,
        /^workqueue_depth\{.*controller="logical-cluster-status".*\} 0$/m,
        /^workqueue_adds_total\{.*\} [1-9]/m,
        /^rest_client_requests_total\{.*code="200".*\} [1-9]/m,
        /^windlass_cache_objects\{cache="logicalclusters.windlass.dev"\} 2$/m,
        /^windlass_event_loop_lag_seconds/m,
      ])
        assert.match(metrics, sample)
    })

    it('N12 a pass that finds nothing to do sends nothing', async () => {
      const before = await reconciles()
      const sent = replica.proxy.passed.length
      await stage.annotate('quiet', 'something that does not matter')
      await until('a pass', async () => (await reconciles()) > before)
      assert.deepEqual(replica.proxy.passed.slice(sent), [])
    })

    it('N3 a server that is gone for a minute brings nothing down, and nothing is listed again', { timeout: 150_000 }, async () => {
      const { proxy, operator } = replica
      const sent = proxy.passed.length
      const cpu = cpuOf(operator.process)
      proxy.unplug()
      await stage.spoil('quiet')
      await sleep(60_000)
      // Two caches, which wait 0.8 s at first and 30 s in the end.
      assert.ok(proxy.refusals > 4 && proxy.refusals < 200, `${proxy.refusals} connections`)
      assert.ok(cpuOf(operator.process) - cpu < 3000, `${cpuOf(operator.process) - cpu} ms of CPU`)
      assert.equal((await fetch(`${operator.url}/healthz`)).status, 200)
      proxy.plug()
      await until('the repair', async () => (await stage.usable('quiet')) === 'True', 65_000)
      // One object may be asked for, to learn whether the server is as new as what is known.
      const lists = proxy.passed.slice(sent).filter(({ path }) => /[?&](limit=(?!1&)|sendInitialEvents)/.test(path))
      assert.deepEqual(lists, [])
    })

    it('N19 ends with status 0 when it is asked to', async () => {
      assert.equal(await replica.operator.stop(), 0)
    })
  })

  describe('twice, electing a leader', { concurrency: false }, () => {
    let stage: Stage
    let leader: Replica
    let other: Replica

    /** Who acts is leader; the other one must not have acted since. */
    const takeOver = async (since: number, within: number): Promise<number> => {
      await until('the other to act', () => other.actAfter(since) !== undefined, within)
      const { at } = other.actAfter(since) ?? assert.fail()
      ;[leader, other] = [other, leader]
      return at
    }

    before(async () => {
      stage = await Stage.set()
      stage.makeTrouble()
      leader = await (await stage.replica(...electing)).start()
      await until('somebody to act', () => leader.lastAct > 0)
      other = await (await stage.replica(...electing)).start()
    })
    after(() => stage.clear())

    it(`N14 the other acts within the duration of the lease when the leader is killed, ${rounds} times`, { timeout: 180_000 }, async () => {
      const times: number[] = []
      for (let round = 0; round < rounds; round++) {
        await until('the leader to act', () => performance.now() - leader.lastAct < 200)
        const killed = performance.now()
        assert.ok(other.lastAct < killed - 200, 'only one acts')
        await leader.operator.kill()
        const { lastAct } = leader
        const acted = await takeOver(killed, 2 * leaseDuration)
        assert.ok(acted - killed <= leaseDuration + slack.most, `it took ${acted - killed} ms`)
        assert.ok(lastAct < acted, 'the one before had stopped')
        times.push(acted - killed)
        await other.start()
      }
      const late = times.filter((time) => time > leaseDuration + slack.usual)
      assert.ok(late.length <= 1, `it took ${late.join(', ')} ms`)
    })

    it('N14 the other acts at once when the leader is asked to end, which releases the lease', async () => {
      // If it did not, nobody could act before the lease runs out, which was renewed half a second ago at most.
      const earliestOtherwise = leaseDuration - 600
      const asked = performance.now()
      assert.equal(await leader.operator.stop(), 0)
      const { lastAct } = leader
      const acted = await takeOver(asked, leaseDuration)
      assert.ok(acted - asked < earliestOtherwise, `it took ${acted - asked} ms`)
      assert.ok(lastAct < acted)
      await other.start()
    })

    it('N14 a leader that cannot renew its lease stops acting before the other begins, though the rest of the API answers', async () => {
      const cut = performance.now()
      leader.proxy.cutOff(/\/leases\b/)
      assert.equal(await leader.operator.exited(), 1)
      const { lastAct } = leader
      const acted = await takeOver(cut, 2 * leaseDuration)
      assert.ok(lastAct > cut + 500, 'it went on for as long as it might')
      assert.ok(lastAct < acted, `it acted ${lastAct - acted} ms too long`)
    })
  })
})
