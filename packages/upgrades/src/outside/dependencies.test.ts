import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { aClient, aStage, type FakeServer, type Stage } from './testing/index.ts'

const site = 'https://registry.example.com'
const other = 'https://cdn.example.com'

async function checking(servers: Readonly<Record<string, FakeServer>>, test: (stage: Stage) => Promise<void>): Promise<void> {
  await using server = await startTestServer()
  const { clock } = server
  await test(await aStage({ client: aClient((request) => server.api.handle(request), admin, clock), clock, servers }))
}

const check = (stage: Stage, ...urls: readonly string[]) => stage.wait(stage.outside.dependencies.check(urls, 10, stage.signal))

/** Answers one after the other, the last for ever. */
function saying(...statuses: readonly number[]): FakeServer {
  let count = 0
  return () => ({ status: statuses[Math.min(count++, statuses.length - 1)] ?? 200 })
}

describe('external dependencies', () => {
  it('A01 are available when they answer well, wherever they lead', async () => {
    const servers: Record<string, FakeServer> = {
      [site]: ({ path }) =>
        path === '/here' ? { status: 302, headers: { location: '/there' } } : { status: 307, headers: { location: `${other}/x` } },
      [other]: () => ({ status: 200 }),
    }
    await checking(servers, async (stage) => {
      assert.deepEqual(await check(stage, `${site}/here`), { value: true })
      assert.deepEqual(stage.asked, [`GET ${site}/here`, `GET ${site}/there`, `GET ${other}/x`])
    })
  })

  it('A01 that blame us are asked once; all that fail are named', async () => {
    await checking({ [site]: saying(404), [other]: saying(403) }, async (stage) => {
      const answer = await check(stage, site, other, 'registry.example.com')
      assert.ok('problem' in answer)
      assert.match(
        answer.problem,
        /https:\/\/registry\.example\.com: answered with status 404; https:\/\/cdn\.example\.com: answered with status 403; registry\.example\.com: it is no URL/,
      )
      assert.equal(stage.asked.length, 2)
    })
  })

  it('A02 that blame themselves are asked three times', async () => {
    await checking({ [site]: saying(500, 500, 200) }, async (stage) => {
      assert.deepEqual(await check(stage, site), { value: true })
      assert.equal(stage.asked.length, 3)
      assert.ok(stage.waited() >= 3000)
    })
  })

  it('A03 Δ18 that hang are given up after three times the time out', async () => {
    await checking({ [site]: () => ({ status: 200, after: 3_600_000 }) }, async (stage) => {
      const answer = await check(stage, `https://me:pw@registry.example.com/`)
      assert.ok('problem' in answer && /did not answer within 10 s/.test(answer.problem))
      assert.ok(!answer.problem.includes('pw'))
      assert.ok(stage.waited() >= 30_000 && stage.waited() < 36_000, String(stage.waited()))
    })
  })

  it('that lead in circles are not followed for ever, nor anywhere but over HTTP', async () => {
    const circle: FakeServer = () => ({ status: 302, headers: { location: site } })
    await checking({ [site]: circle, [other]: () => ({ status: 302, headers: { location: 'file:///etc/passwd' } }) }, async (stage) => {
      const answer = await check(stage, site, other)
      assert.ok('problem' in answer)
      assert.match(answer.problem, /10 redirects were followed/)
      assert.match(answer.problem, /leads to file:/)
    })
  })

  it('do not exist when none are configured', async () => {
    await checking({}, async (stage) => assert.deepEqual(await check(stage), { value: true }))
  })
})
