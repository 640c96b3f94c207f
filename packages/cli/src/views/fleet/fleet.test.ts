import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseTime } from '@windlass/core'
import type { Paint } from '../colours.ts'
import { findRow } from './find.ts'
import { fleetLines } from './lines.ts'
import { type FleetWishes, selected } from './selection.ts'
import { parseSelector } from './selector.ts'
import { aFleet, aMember, anUpgrade, aRow, noon } from '@windlass/fleet/fixtures'

const now = parseTime(noon) ?? assert.fail()
const old = { version: '4.19.6', desired: '4.19.6', state: 'Completed', activeVersions: ['4.19.6'] } as const
const fleet = aFleet([
  aRow({ name: 'calm' }),
  anUpgrade({ name: 'moving', summary: 'The control plane waits for etcd.' }),
  anUpgrade({ name: 'stuck', attention: 'Stalled', summary: 'An image cannot be pulled.' }),
  aRow({ name: 'old', namespace: 'lab', controlPlane: old, dataPlane: old, skew: 'AtLimit' }),
])
const named = (wishes: FleetWishes): readonly string[] =>
  selected(fleet, wishes, (id) => (id.endsWith('calm') ? { env: 'prod', tier: 'a' } : { env: 'lab' })).clusters.map(({ name }) => name)

describe('the fleet, for people', () => {
  it('has figures first and then clusters, worst first', () => {
    const view = selected(fleet, {}, () => ({}))
    assert.deepEqual(fleetLines(view, { now, isWide: false }), [
      '4 clusters: 1 Stalled, 1 Upgrading, 2 Steady; 12 nodes; 1 with nodes as old as they may be',
      'Control planes:  3 at 4.20.1, 1 at 4.19.6',
      'Data planes:     3 at 4.20.1, 1 at 4.19.6',
      'Nodes:           12 at 4.20.1',
      '',
      'CLUSTER           STATUS      CONTROL PLANE      DATA PLANE   NODES   FOR   MESSAGE',
      'clusters/stuck    Stalled     4.20.1 -> 4.20.3   4.20.1       3/3     12m   An image cannot be pulled.',
      'clusters/moving   Upgrading   4.20.1 -> 4.20.3   4.20.1       3/3     12m   The control plane waits for etcd.',
      'clusters/calm     Steady      4.20.1             4.20.1       3/3     60m',
      'lab/old           Steady      4.19.6             4.19.6       3/3',
    ])
  })

  it('has more columns where there is room', () => {
    const lines = fleetLines(
      selected(fleet, { stalled: true }, () => ({})),
      { now, isWide: true },
    )
    assert.deepEqual(lines.slice(-2), [
      'CLUSTER          STATUS    CONTROL PLANE      DATA PLANE   NODES   FOR   PROGRESS   DONE IN   SKEW      NODE VERSIONS   KIND     PLATFORM   MESSAGE',
      'clusters/stuck   Stalled   4.20.1 -> 4.20.3   4.20.1       3/3     12m   12/39      20m       Allowed   3×4.20.1        Hosted   KubeVirt   An image cannot be pulled.',
    ])
  })

  it('shows a member that cannot be reached as such, and what was known of it as old', () => {
    const view = aFleet(
      [aRow(), aRow({ member: 'west', isCurrent: false })],
      [
        aMember(),
        aMember({
          name: 'west',
          state: 'Unreachable',
          since: '2026-03-06T11:50:00Z',
          lastSynced: '2026-03-06T11:49:00Z',
          message: 'no route to host',
        }),
        aMember({ name: 'north', state: 'Connecting', since: '2026-03-06T11:59:00Z', clusters: 0 }),
      ],
    )
    assert.deepEqual(fleetLines(view, { now, isWide: false }), [
      '2 clusters known, in 1 of 3 members: 2 Steady; 6 nodes',
      'Control planes:  2 at 4.20.1',
      'Data planes:     2 at 4.20.1',
      'Nodes:           6 at 4.20.1',
      '',
      'MEMBER   CLUSTER         STATUS                  CONTROL PLANE   DATA PLANE   NODES   FOR   MESSAGE',
      'west     *               Unreachable             ?               ?            ?       10m   1 cluster as of 2026-03-06T11:49:00Z: no route to host',
      'north    *               Connecting              ?               ?            ?       60s   nothing is known of it',
      'east     clusters/prod   Steady                  4.20.1          4.20.1       3/3     60m',
      'west     clusters/prod   Steady, as last known   4.20.1          4.20.1       3/3     60m',
    ])
    const nothing = fleetLines(aFleet([], [aMember({ state: 'Unreachable', clusters: 0, message: 'gone' })]), { now, isWide: false })
    assert.deepEqual(nothing.slice(-1), ['east      Unreachable   ?               ?            ?       3h    nothing is known of it: gone'])
    assert.deepEqual(fleetLines(aFleet([]), { now, isWide: false }), ['0 clusters; 0 nodes'])
    const partly = fleetLines(aFleet([aRow()], [aMember({ message: 'nodepools cannot be read' })]), { now, isWide: false })
    assert.match(partly[6] ?? '', /^east +Partly known +\? +\? +\? +3h +nodepools cannot be read$/)
    const unread = aRow({ nodes: { wanted: 0, ready: 0, versions: [], unknownBecause: 'nodepools cannot be read' } })
    assert.match(fleetLines(aFleet([unread]), { now, isWide: false }).at(-1) ?? '', /^clusters\/prod +Steady +4\.20\.1 +4\.20\.1 +\? /)
  })

  it('has colours if somebody wants them, and columns stay where they are', () => {
    const paint: Paint = (text, colour) => (colour === undefined ? text : `<${colour}>${text}</>`)
    const view = selected(fleet, {}, () => ({}))
    const coloured = fleetLines(view, { now, isWide: false, paint })
    assert.match(coloured[0] ?? '', /<red>1 Stalled<\/>, <blue>1 Upgrading<\/>/)
    assert.match(coloured[6] ?? '', /<red>Stalled<\/> /)
    assert.deepEqual(
      coloured.map((line) => line.replaceAll(/<\/?\w*>/g, '')),
      fleetLines(view, { now, isWide: false }),
    )
  })
})

describe('a part of the fleet', () => {
  it('is what somebody asks for, with figures of its own', () => {
    assert.deepEqual(named({}), ['stuck', 'moving', 'calm', 'old'])
    assert.deepEqual(named({ stalled: true }), ['stuck'])
    assert.deepEqual(named({ attention: true }), ['stuck'])
    assert.deepEqual(named({ namespace: 'lab' }), ['old'])
    assert.deepEqual(named({ selector: 'env=prod' }), ['calm'])
    assert.equal(selected(fleet, { namespace: 'lab' }, () => ({})).figures.clusters, 1)
  })

  it('by version has every cluster where it runs, may run or is to run', () => {
    assert.deepEqual(named({ version: '4.20.3' }), ['stuck', 'moving'])
    assert.deepEqual(named({ version: '4.20' }), ['stuck', 'moving', 'calm', 'old'])
    assert.deepEqual(named({ version: '4.19' }), ['old'])
    assert.deepEqual(named({ version: '4.2' }), [])
    assert.deepEqual(named({ version: '4' }), [])
  })
})

describe('a selector', () => {
  const labels = { env: 'prod', tier: 'a', 'example.com/zone': 'eu-1' }
  for (const [text, isMet] of [
    ['env=prod', true],
    ['env==prod,tier=a', true],
    ['env=prod,tier=b', false],
    ['env!=lab', true],
    ['missing!=x', true],
    ['tier in (a, b),env', true],
    ['tier notin (a,b)', false],
    ['missing notin (a)', true],
    ['!missing', true],
    ['!env', false],
    ['example.com/zone=eu-1', true],
    ['', true],
  ] satisfies [string, boolean][]) {
    it(`${text || 'of nothing'} ${isMet ? 'selects' : 'does not select'} it`, () => assert.equal(parseSelector(text)(labels), isMet))
  }

  it('that is none is refused, with the part that is wrong', () => {
    assert.throws(() => parseSelector('env=prod,tier in a'), { name: 'Failure', message: /^"tier in a" selects nothing/ })
  })
})

describe('a cluster by its name', () => {
  const view = aFleet(
    [
      aRow(),
      aRow({ name: 'twin' }),
      aRow({ name: 'twin', namespace: 'lab' }),
      aRow({ member: 'west', name: 'twin' }),
      aRow({ member: 'classic', kind: 'Classic' }),
    ],
    [aMember(), aMember({ name: 'west' }), aMember({ name: 'classic' })],
  )

  it('is found in whatever namespace and member it is', () => {
    for (const text of ['prod', 'clusters/prod', 'east/clusters/prod']) assert.equal(findRow(view, text).id, 'east/clusters/prod')
    assert.equal(findRow(view, 'classic').kind, 'Classic')
    assert.equal(findRow(view, 'lab/twin').id, 'east/lab/twin')
    assert.equal(findRow(view, 'twin', 'lab').id, 'east/lab/twin')
  })

  it('has to be told apart from others of that name', () => {
    assert.throws(() => findRow(view, 'clusters/twin'), {
      name: 'Failure',
      message: 'there are 2 clusters named clusters/twin: east/clusters/twin, west/clusters/twin. Say which one as MEMBER/NAMESPACE/NAME',
    })
  })

  it('that is not known may be where nobody could look', () => {
    const lost = aFleet([aRow()], [aMember(), aMember({ name: 'west', state: 'Unreachable', clusters: 0 })])
    assert.throws(() => findRow(lost, 'other'), {
      message: 'there is no cluster other: there are clusters/prod; nothing is known of west, where it may be',
    })
    assert.throws(() => findRow(aFleet([]), 'other'), {
      message: /^there is no cluster other, nor any other: choose others with --kubeconfig or --context$/,
    })
  })
})
