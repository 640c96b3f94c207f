import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aRow, minutesAgo, sampleRows, upgradeOf, whyOf } from '@windlass/dashboard/testing'
import type { MemberView } from '@windlass/fleet/contract'
import { accessibilityProblems, screenshot, shows } from '../support/browser.ts'
import type { Stage } from './stage.ts'

const unreadable = 'nodepools.hypershift.openshift.io cannot be read: let the user of us-east get, list and watch them'
const away = 'api.us-east.example.com:6443 refuses connections: check that the server runs'

function unreachable(members: readonly MemberView[]): readonly MemberView[] {
  return members.map((member) =>
    member.name === 'us-east' ? { ...member, state: 'Unreachable', since: minutesAgo(14), message: away } : member,
  )
}

/** States that the sample fleet has beside its usual ones, and those that a server must be told to bring about. Each leaves a picture. */
export function describeStates(stage: () => Stage): void {
  it('of a cluster: failing, unknown, being deleted, with nodes that are too old', async () => {
    const { url } = await stage().serve({ rows: sampleRows, mayAct: true })
    const { page, verify } = await stage().visit(url)
    for (const [name, path, words] of [
      ['failing', 'eu-west/clusters/prod-eu-7', 'It has waited for 64m for Pod etcd-1: no node has room for it.'],
      ['unknown', 'us-east/clusters/edge-us-1', '1 thing could not be looked at:'],
      ['deleting', 'eu-west/clusters/dev-eu-9', 'The deletion goes on as usual. It waits for a machine.'],
      ['violated', 'ap-south/clusters/prod-ap-4', 'Nodes are at 4.17.9: a control plane at 4.21.1 takes those of 4.20 or newer'],
    ] as const) {
      await page.goto(`${url}/clusters/${path}`)
      await page.getByText(words).first().waitFor()
      await page.getByText('f0c1a7d2-6f1a-4a57-9a0e-3f7f5f1f9f10').waitFor()
      await shows(() => page.getByRole('button', { name: 'Upgrade' }).count(), name === 'deleting' ? 0 : 1)
      await screenshot(page, `cluster-${name}`)
    }
    await page.getByText('region=ap-south').waitFor()
    await page.locator('.badge').getByText('Skew violated').waitFor()
    verify()
  })

  it('of a member: its clusters are as last known on each page, and what its user may not read is not taken for nothing', async () => {
    const rows = sampleRows.map((row) => (row.member === 'us-east' ? { ...row, isCurrent: false } : row))
    const { server, url } = await stage().serve({ rows })
    server.changeMembers(unreachable(server.members))
    const { page, verify } = await stage().visit(`${url}/clusters/us-east/clusters/prod-us-2`)
    await page.getByRole('alert').getByText('us-east cannot be reached.').waitFor()
    await screenshot(page, 'cluster-last-known')
    await page.goto(`${url}/exposure?fixed-in=4.20.8,4.19.14`)
    await page
      .getByRole('alert')
      .getByText(/us-east cannot be reached for \d+m/)
      .waitFor()
    await page.getByText('us-east / clusters · as last known').first().waitFor()
    await screenshot(page, 'exposure-unreachable')
    const nodes = { wanted: 0, ready: 0, versions: [], unknownBecause: unreadable }
    server.change(sampleRows.map((row) => (row.member === 'us-east' ? { ...row, nodes, skew: 'Unknown' } : row)))
    server.changeMembers(
      server.members.map((member) => ({ ...member, state: 'Synced' as const, message: unreadable, isPartial: true as const })).slice(-1),
    )
    await page.goto(`${url}/?member=us-east`)
    await page.getByText('us-east is partly known.').waitFor()
    assert.deepEqual([...new Set(await page.locator('.grid-body .c-nodes').allTextContents())], ['unknown'])
    await screenshot(page, 'fleet-partly-known')
    await page.goto(`${url}/clusters/us-east/clusters/prod-us-1`)
    await page.getByText('Its nodes are not known').waitFor()
    verify()
  })

  it('of an answer why: none yet, and then by itself; and more causes than are shown at once', async () => {
    const { server, url } = await stage().serve({ rows: sampleRows })
    server.failAt('why', { code: 500, message: 'Something went wrong in the server, which has it in its log: no route to host' })
    const { page, verify } = await stage().visit(`${url}/nowhere`)
    await page.clock.install()
    await page.goto(`${url}/clusters/us-east/clusters/prod-us-2`)
    await page.getByText('The cause cannot be told: Something went wrong in the server').waitFor()
    await screenshot(page, 'cluster-why-failed')
    const why = whyOf(server.row('us-east/clusters/prod-us-2'), minutesAgo(0))
    const [first] = why.chains
    assert.ok(first !== undefined)
    const others = ['etcd', 'kube-scheduler', 'router', 'oauth-openshift'].map((name) => ({
      links: [
        first.links[0] ?? assert.fail(),
        { object: { kind: 'ControlPlaneComponent', name, side: 'management' as const }, says: 'It waits' },
      ],
      command: `kubectl describe controlplanecomponent ${name}`,
    }))
    server.explain({ ...why, chains: [first, ...others] })
    server.failAt('why', undefined)
    await page.clock.runFor(35_000)
    await page.getByRole('button', { name: 'Show 2 further causes' }).waitFor()
    await shows(() => page.locator('.chain').count(), 3)
    await page.getByRole('button', { name: 'Show 2 further causes' }).click()
    await shows(() => page.locator('.chain').count(), 5)
    await screenshot(page, 'cluster-many-causes')
    assert.deepEqual(await accessibilityProblems(page), [])
    verify()
  })

  it('of a managed upgrade: new, planned, failed, done', async () => {
    const { server, url } = await stage().serve({ rows: sampleRows })
    const { page, verify } = await stage().visit(`${url}/clusters/classic-eu-1/upgrade`)
    for (const [phase, words] of [
      ['New', '4 Mar 15:00'],
      ['Pending', '4 Mar 15:00'],
      ['Failed', 'Failed in “Pre-upgrade health check”'],
      ['Upgraded', '17 of 17'],
    ] as const) {
      server.changeUpgrade('classic-eu-1', upgradeOf('4.19.15', phase))
      await page.locator('.badge').getByText(phase, { exact: true }).waitFor()
      await page.getByText(words).first().waitFor()
      await screenshot(page, `upgrade-${phase.toLowerCase()}`)
    }
    verify()
  })

  it('of exposure: without an answer, without clusters, and with none that is like that', async () => {
    const { server, url } = await stage().serve({ rows: sampleRows })
    server.failAt('exposure', { code: 500, message: 'Something went wrong in the server.' })
    const { page, verify } = await stage().visit(`${url}/nowhere`)
    await page.clock.install()
    await page.goto(`${url}/exposure?fixed-in=4.20.8`)
    await page.getByText('There is no answer').waitFor()
    await screenshot(page, 'exposure-failed')
    server.failAt('exposure', undefined)
    await page.clock.runFor(20_000)
    await page.getByRole('grid', { name: 'Clusters by exposure' }).waitFor()
    await page.goto(`${url}/exposure?fixed-in=4.20.8&q=nobody`)
    await page.getByText('No cluster is like that').waitFor()
    await screenshot(page, 'exposure-none-like-that')
    await page.getByRole('button', { name: `Show all ${sampleRows.length}` }).click()
    await page.getByRole('grid', { name: 'Clusters by exposure' }).waitFor()
    server.change(
      [],
      sampleRows.map(({ id }) => id),
    )
    await page.reload()
    await page.getByText('The fleet has no clusters').waitFor()
    await screenshot(page, 'exposure-empty')
    server.changeMembers(unreachable(server.members))
    await page.getByText('That is not the same as having none').waitFor()
    verify()
  })

  it('of the address: a filter that nothing passes, a link that was used, a cluster that comes later', async () => {
    const { server, url } = await stage().serve({ rows: sampleRows })
    const { page, verify } = await stage().visit(`${url}/?q=nobody`)
    await page.getByText('No cluster is like that').waitFor()
    await screenshot(page, 'fleet-none-like-that')
    await page.clock.install()
    await page.goto(`${url}/clusters/eu-west/clusters/late`)
    await page.getByText('There is no such cluster').waitFor()
    server.change([aRow({ name: 'late' })])
    await page.clock.fastForward(20_000)
    await page.getByRole('heading', { name: 'late', level: 1 }).waitFor()
    verify()
    const closed = await stage().serve({ rows: sampleRows, isOpen: false })
    const { page: other } = await stage().visit(`${closed.url}/#code=yesterday`)
    await other.getByRole('alert').getByText('This link has been used or is too old. Ask for a new one.').waitFor()
    await screenshot(other, 'sign-in-used-link')
  })
}
