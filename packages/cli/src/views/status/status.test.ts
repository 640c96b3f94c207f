import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aCondition } from '@windlass/api/fixtures'
import { run } from '../../fixtures.ts'
import { needsAttention, standaloneStatus, type StatusView } from './index.ts'
import { at, completed, health, insights, linesOf, minutes, node, operator, pool, start, valueOf } from './testing.ts'

const done = { assessment: 'Completed', percent: 100, reason: 'Updated' } as const
const viewOf = (...args: Parameters<typeof insights>): StatusView => standaloneStatus({ insights: insights(...args) }, start + 30 * minutes)

describe('a cluster that is not updating', () => {
  it('T108 says so and nothing else', () => {
    const pools = [pool('worker', { ...done, counts: { Total: 3 } }), pool('empty')]
    assert.deepEqual(linesOf(insights(completed, { pools, health: [health('a', 'Info', 0)] }), 600 * minutes), [
      'The cluster is not updating.',
    ])
  })

  it('says in a line each what has to be done all the same', () => {
    const refused = health('a', 'Error', 590 * minutes, 'Requested release is not accepted (PreconditionChecks)')
    assert.deepEqual(linesOf(insights(completed, { health: [refused, health('b', 'Warning', 0)] }), 600 * minutes), [
      'The cluster is not updating.',
      'Error since 10m: Requested release is not accepted (PreconditionChecks)',
    ])
  })

  it('is one whose control plane and workers are done; T109 not one whose workers are behind', () => {
    const nodes = [node({ name: 'a', reason: 'Completed' }), node({ name: 'b' }), node({ name: 'c' })]
    const worker = pool('worker', {
      assessment: 'Progressing',
      percent: 33,
      reason: 'Progressing',
      counts: { Total: 3, Available: 3, Outdated: 2 },
    })
    const lines = linesOf(insights(completed, { pools: [worker], nodes }), 70 * minutes)
    assert.equal(lines[0], 'Update to 4.18.16 successfully completed at 2025-06-27T12:52:00Z (duration: 52m)')
    assert.deepEqual(lines.slice(1, 6), [
      '',
      '= Worker Upgrade =',
      '',
      'WORKER POOL   ASSESSMENT    COMPLETION   STATUS',
      'worker        Progressing   33% (1/3)    3 Available, 0 Progressing, 0 Draining',
    ])
  })

  it('is none of which it is not known', () => {
    const unknown = { assessment: 'Unknown', conditions: [aCondition('Updating', 'Unknown', 'CannotDetermineUpdating')] }
    assert.equal(linesOf(insights(unknown))[0], '= Control Plane =')
  })
})

describe('the control plane', () => {
  it('T111 has stalled when it is later than ten minutes, and only late until then', () => {
    const estimate = 84.5 * minutes
    const since = (late: number): readonly string[] => linesOf(insights({ estimatedCompletedAt: at(estimate) }), estimate + late)
    assert.equal(valueOf(since(11 * minutes), 'Assessment'), 'Stalled')
    assert.match(valueOf(since(11 * minutes), 'Duration') ?? '', /\(Est\. Time Remaining: N\/A; estimate duration was 1h24m\)$/)
    assert.equal(valueOf(since(10 * minutes), 'Assessment'), 'Progressing - Slow')
    assert.match(valueOf(since(10 * minutes), 'Duration') ?? '', /\(Est\. Time Remaining: <10m\)$/)
    assert.equal(valueOf(since(0), 'Assessment'), 'Progressing')
    assert.doesNotMatch(valueOf(since(0), 'Duration') ?? '', /Est/)
    assert.match(valueOf(since(-10 * minutes), 'Duration') ?? '', /\(Est\. Time Remaining: 10m\)$/)
    assert.match(valueOf(since(-10 * minutes + 1000), 'Duration') ?? '', /\(Est\. Time Remaining: <10m\)$/)
  })

  it('is degraded rather than late, and stalled rather than degraded', () => {
    const late = (after: number): string | undefined =>
      valueOf(linesOf(insights({ assessment: 'Degraded', estimatedCompletedAt: at(60 * minutes) }), after), 'Assessment')
    assert.equal(late(65 * minutes), 'Degraded')
    assert.equal(late(71 * minutes), 'Stalled')
  })

  it('tells where it goes from', () => {
    const target = (versions: Parameters<typeof insights>[0]): string | undefined => valueOf(linesOf(insights(versions)), 'Target Version')
    const version = '4.18.16'
    const previous = { version: '4.18.15' }
    const partial = { ...previous, metadata: [{ key: 'Partial' as const }] }
    const multi = { version, metadata: [{ key: 'Architecture' as const, value: 'multi' }] }
    assert.equal(target({}), '4.18.16 (from 4.18.15)')
    assert.equal(target({ versions: { target: { version, metadata: [{ key: 'Installation' }] } } }), '4.18.16 (a new install)')
    assert.equal(target({ versions: { target: { version }, previous: partial } }), '4.18.16 (from incomplete 4.18.15)')
    assert.equal(target({ versions: { target: multi, previous } }), '4.18.16 to Multi-Architecture')
    assert.equal(target({ versions: { target: multi, previous: partial } }), '4.18.16 (from incomplete 4.18.15)')
    assert.equal(target({ versions: { target: { version }, previous: {} } }), '4.18.16 (from unknown)')
  })

  it('never knows how long it takes to move to another architecture', () => {
    const target = { version: '4.18.16', metadata: [{ key: 'Architecture' as const, value: 'multi' }] }
    const lines = linesOf(insights({ versions: { target, previous: { version: '4.18.16' } } }))
    assert.equal(valueOf(lines, 'Duration'), '30m (Est. Time Remaining: N/A for Multi-Architecture Migration)')
  })

  it('counts its operators, and names those that are on their way', () => {
    const operators = [
      operator('network', 'Progressing'),
      operator('etcd', 'Progressing', 'Degraded'),
      operator('dns', 'Updated', 'Unavailable'),
      operator('console', 'Pending'),
      operator('ingress', 'CannotDetermine', 'CannotDetermine'),
    ]
    const lines = linesOf(insights({}, { operators }))
    assert.equal(valueOf(lines, 'Updating'), 'etcd, network')
    assert.equal(valueOf(lines, 'Completion'), '50% (1 operators updated, 2 updating, 1 waiting)')
    assert.equal(valueOf(lines, 'Operator Health'), '2 Healthy, 1 Unavailable, 1 Available but degraded, 1 Unknown')
    assert.equal(valueOf(linesOf(insights({}, { operators: operators.slice(2) })), 'Updating'), undefined)
  })

  it('lists operators that are on their way to somebody who asks', () => {
    const condition = (reason: string, message: string) => ({
      ...aCondition('Updating', 'True', reason, message),
      lastTransitionTime: at(20 * minutes),
    })
    const network = operator('network', 'Progressing')
    const told = (reason: string, message: string) => ({
      ...network,
      status: { name: 'network', conditions: [condition(reason, message)] },
    })
    const lines = linesOf(insights({}, { operators: [told('AReasonOfTwentyOneLet', 'one\n\n  \ntwo')] }), 30 * minutes, 'operators')
    const first = lines.indexOf('Updating Cluster Operators')
    assert.deepEqual(lines.slice(first - 1, first + 4), [
      '',
      'Updating Cluster Operators',
      'NAME      SINCE   REASON                 MESSAGE',
      'network   10m     AReasonOfTwentyOn...   one',
      '                                         two',
    ])
    assert.match(linesOf(insights({}, { operators: [told('', '')] }), 30 * minutes, 'all').join('\n'), /\nnetwork {3}10m {5}-\n/)
  })

  it('says in a line that its machines are done', () => {
    const master = pool('master', { ...done, counts: { Total: 3 } })
    assert.ok(linesOf(insights({}, { pools: [master] })).includes('All control plane nodes successfully updated to 4.18.16'))
  })
})

describe('pools and nodes', () => {
  it('T112 are shown up to ten nodes, and all that are in trouble', () => {
    const names = Array.from({ length: 12 }, (_, index) => `worker-${String(index).padStart(2, '0')}`)
    const worker = pool('worker', { counts: { Total: 12 } })
    const table = (nodes: readonly ReturnType<typeof node>[], details: 'none' | 'nodes' = 'none'): readonly string[] => {
      const lines = linesOf(insights({}, { pools: [worker], nodes }), 30 * minutes, details)
      const title = lines.indexOf('Worker Pool Nodes: worker')
      return lines.slice(title + 2, lines.indexOf('', title))
    }
    const one = table(names.map((name) => node({ name, isDegraded: name === 'worker-11' })))
    assert.match(one[0] ?? '', /^worker-11 {3}Degraded/)
    assert.equal(one[10], '...')
    assert.equal(
      one[11],
      'Omitted additional 2 Total, 0 Completed, 2 Available, 0 Progressing, 2 Outdated, 0 Draining, 0 Excluded, and 0 Degraded nodes.',
    )
    assert.equal(one[12], 'Pass along --details=nodes to see all information.')
    const all = table(names.map((name) => node({ name, isDegraded: true })))
    assert.equal(all.length, 12)
    assert.ok(all.every((line) => line.includes('Degraded')))
    assert.equal(
      table(
        names.map((name) => node({ name })),
        'nodes',
      ).length,
      12,
    )
    assert.equal(table(names.map((name) => node({ name, isAvailable: false }))).length, 12)
  })

  it('come with the worst node first, then by phase, then by name', () => {
    const nodes = [
      node({ name: 'done', reason: 'Completed' }),
      node({ name: 'b-waits' }),
      node({ name: 'a-waits' }),
      node({ name: 'paused', reason: 'Paused' }),
      node({ name: 'reboots', reason: 'Rebooting' }),
      node({ name: 'drains', reason: 'Draining' }),
      node({ name: 'away', isAvailable: false }),
      node({ name: 'broken', isDegraded: true, isAvailable: false }),
    ]
    const [view] = viewOf({}, { pools: [pool('worker', { counts: { Total: 8 } })], nodes }).pools
    assert.deepEqual(
      view?.nodes.map(({ name, assessment, phase }) => `${name} ${assessment} ${phase}`),
      [
        'broken Degraded Pending',
        'away Unavailable Pending',
        'drains Progressing Draining',
        'reboots Progressing Rebooting',
        'paused Excluded Paused',
        'a-waits Outdated Pending',
        'b-waits Outdated Pending',
        'done Completed Updated',
      ],
    )
  })

  it('show how long a node takes, what it runs and what it says, in one line', () => {
    const name = 'ip-10-0-4-159'
    const row = (parts: Omit<Parameters<typeof node>[0], 'name'>, called = name): string => {
      const lines = linesOf(insights({}, { pools: [pool('worker', { counts: { Total: 1 } })], nodes: [node({ name: called, ...parts })] }))
      return lines[lines.indexOf('Worker Pool Nodes: worker') + 2] ?? ''
    }
    assert.match(row({ reason: 'Draining', status: { estimatedToComplete: '10m0s' } }), /Progressing {3}Draining {3}4\.18\.15 {3}\+10m$/)
    assert.match(row({ reason: 'Completed', status: { estimatedToComplete: '0s' } }), /Completed {4}Updated {3}4\.18\.15 {3}-$/)
    assert.match(row({ reason: 'Paused' }), /Excluded .* -$/)
    assert.match(row({}), /Outdated .* \?$/)
    assert.match(row({ status: { message: `no disk on ${name}:\n it is full` } }), /no disk on <node>: it is full$/)
    assert.match(row({ status: { message: 'short is short' } }, 'short'), /short is short$/)
    const unversioned = node({ name })
    const { version: _, ...status } = unversioned.status ?? assert.fail()
    const lines = linesOf(insights({}, { pools: [pool('worker', { counts: { Total: 1 } })], nodes: [{ ...unversioned, status }] }))
    assert.match(lines.join('\n'), /Pending {3}\? {9}\?$/m)
  })

  it('count the nodes that are done, from the percentage where there are no nodes to count', () => {
    const third = pool('worker', { assessment: 'Progressing', percent: 33, counts: { Total: 3 } })
    assert.equal(viewOf({}, { pools: [third] }).pools[0]?.completed, 1)
    assert.equal(viewOf({}, { pools: [third], nodes: [node({ name: 'a' })] }).pools[0]?.completed, 0)
  })

  it('are counted one by one where there are more than the summary of a pool can say', () => {
    const nodes = Array.from({ length: 2100 }, (_, index) =>
      node({
        name: `worker-${index}`,
        reason: index < 1050 ? 'Completed' : index < 1060 ? 'Rebooting' : 'Pending',
        isAvailable: index !== 2000,
      }),
    )
    const large = pool('worker', {
      assessment: 'Progressing',
      percent: 50,
      reason: 'Progressing',
      counts: { Total: 2000, Available: 2000 },
    })
    const lines = linesOf(insights({}, { pools: [large], nodes }))
    assert.ok(lines.includes('worker        Progressing   50% (1050/2100)   2099 Available, 10 Progressing, 0 Draining'))
  })

  it('have worker first and the empty ones last in nothing but their name', () => {
    const pools = [
      pool('zbeast'),
      pool('infra', { counts: { Total: 1, Excluded: 1, Degraded: 1 } }),
      pool('worker', { counts: { Total: 1 } }),
    ]
    const lines = linesOf(insights({}, { pools }))
    const first = lines.findIndex((line) => line.startsWith('WORKER POOL'))
    assert.deepEqual(lines.slice(first + 1, first + 4), [
      'worker        Pending      0% (0/1)     0 Available, 0 Progressing, 0 Draining',
      'infra         Pending      0% (0/1)     0 Available, 0 Progressing, 0 Draining, 1 Excluded, 1 Degraded',
      'zbeast        Empty                     0 Total',
    ])
    assert.ok(!linesOf(insights({}, { pools: [pool('zbeast')] })).includes('= Worker Upgrade ='))
  })
})

describe('the health of an update', () => {
  const section = (lines: readonly string[]): readonly string[] => lines.slice(lines.indexOf('= Update Health ='))

  it('T113 is well when nobody says otherwise', () => {
    const expected = ['= Update Health =', 'SINCE   LEVEL   IMPACT   MESSAGE', '30m     Info    None     Update is proceeding well']
    assert.deepEqual(section(linesOf(insights())), expected)
    assert.deepEqual(section(linesOf(insights(), 30 * minutes, 'health')), expected)
  })

  it('comes with the worst first, then the newest, then by name', () => {
    const found = [
      health('d', 'Info', 9 * minutes),
      health('c', 'Warning', 0),
      health('b', 'Warning', 0),
      health('z', 'Warning', 5 * minutes),
      health('e', 'Critical', 0),
    ]
    assert.deepEqual(
      viewOf({}, { health: found }).health.map(({ name }) => name),
      ['e', 'z', 'b', 'c', 'd'],
    )
  })

  it('says that there is more to know, unless there is only good news', () => {
    const hasFooter = (...found: readonly ReturnType<typeof health>[]): boolean =>
      linesOf(insights({}, { health: found }))
        .at(-1)
        ?.startsWith('Run with --details=health') === true
    assert.ok(!hasFooter(health('a', 'Info', 0)))
    assert.ok(hasFooter(health('a', 'Warning', 0)))
    assert.ok(hasFooter(health('a', 'Info', 0), health('b', 'Info', 0)))
  })
})

describe('the verdict', () => {
  it('is that somebody should look when something is stalled, degraded or an error', () => {
    assert.ok(!needsAttention(viewOf()))
    assert.ok(!needsAttention(viewOf({}, { health: [health('a', 'Warning', 0)] })))
    assert.ok(needsAttention(viewOf({}, { health: [health('a', 'Error', 0)] })))
    assert.ok(needsAttention(viewOf({}, { health: [health('a', 'Critical', 0)] })))
    assert.ok(needsAttention(viewOf({ assessment: 'Degraded' })))
    assert.ok(needsAttention(viewOf({ estimatedCompletedAt: at(19 * minutes) })))
    assert.ok(needsAttention(viewOf({}, { pools: [pool('worker', { assessment: 'Degraded', counts: { Total: 1 } })] })))
    assert.ok(!needsAttention(viewOf({ ...completed }, { health: [health('a', 'Error', 0)] })))
  })
})

describe('windlass status', () => {
  it('T114 refuses details that there are not, in the words of oc', async () => {
    assert.deepEqual(await run('status', '--details=bogus'), {
      status: 1,
      out: '',
      err: 'windlass: invalid value for --details: bogus (must be one of none, all, nodes, health, operators)\n',
    })
  })

  it('fails without an insight, and with one that does not say whether there is an update', () => {
    assert.throws(() => standaloneStatus({ insights: { ...insights(), clusterVersion: undefined } }, start), {
      name: 'Failure',
      message: "failed to find ClusterVersionProgressInsight with name 'version'",
    })
    assert.throws(() => viewOf({ conditions: [] }), { name: 'Failure', message: /has no Updating condition/ })
  })

  for (const [args, problem] of [
    [['--interval', '10ms'], /A length of time of a second or more/],
    [['--at', 'noon'], /A moment is written like 2026-01-31T12:00:00Z/],
    [['-o', 'wide'], /Allowed choices are table, json, yaml/],
    [['a', 'b'], /too many arguments for 'status'/],
    [['--at', '2026-01-31T12:00:00Z'], /option '--at <time>' is for '--from <folder>'/],
    [['-n', 'clusters'], /needs a hosted cluster/],
    [['--from', 'a', '--kubeconfig', 'b'], /option '--from <folder>' cannot be used with option '--kubeconfig <file>'/],
    [['--from', ''], /The name of a folder must not be empty/],
  ] satisfies [string[], RegExp][]) {
    it(`does not take ${args.join(' ')}`, async () => {
      const { status, err } = await run('status', ...args)
      assert.equal(status, 2)
      assert.match(err, problem)
    })
  }
})
