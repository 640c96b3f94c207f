import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { compareVersions, minorDistance, normalisedMinor, parseVersion, type Version } from '../version/index.ts'
import { judgeSkew, leftBehind, type Move, type MoveRequest, type NodeGroup, planMoves, SkewPolicy, skewRange } from './index.ts'

const group = (name: string, ...versions: readonly string[]): NodeGroup => ({ name, versions: versions.map(parseVersion) })
const shown = (move: Move): string =>
  move.of === 'control-plane' ? `control plane ${move.to.text}` : `${move.groups.join('+')} ${move.to.text}`

function planned(active: readonly string[], target: string, groups: readonly NodeGroup[], rest: Partial<MoveRequest> = {}) {
  const { leftBehind, moves, problems } = planMoves({
    active: active.map(parseVersion),
    target: parseVersion(target),
    groups,
    policy: 'fixed:3',
    ...rest,
  })
  return { leftBehind: leftBehind.map(({ name }) => name), moves: moves.map(shown), problems }
}

describe('a control plane that is to move', () => {
  it('NP-28 leaves behind what is more minors below than the policy allows, and nothing else', () => {
    const pools = [group('old', '4.16.9'), group('new', '4.17.2')]
    const names = leftBehind(pools, parseVersion('4.20.0'), 'fixed:3').map(({ name }) => name)
    assert.deepEqual(names, ['old'])
  })

  it('leaves behind nodes that are still where their group comes from', () => {
    assert.deepEqual(leftBehind([group('moving', '4.16.9', '4.19.6')], parseVersion('4.20.0'), 'fixed:3').length, 1)
  })

  it('NP-28 waits for the nodes that it would leave behind', () => {
    const pools = [group('old', '4.16.9'), group('new', '4.17.2')]
    assert.deepEqual(planned(['4.19.6'], '4.20.0', pools), {
      leftBehind: ['old'],
      moves: ['old 4.19.6', 'control plane 4.20.0'],
      problems: [],
    })
  })

  it('is followed by all nodes when that is asked for, a few at a time', () => {
    const pools = ['a', 'b', 'c'].map((name) => group(name, '4.19.6'))
    assert.deepEqual(planned(['4.19.6'], '4.20.0', pools, { groupsFollow: 'all', concurrency: 2 }).moves, [
      'control plane 4.20.0',
      'a+b 4.20.0',
      'c 4.20.0',
    ])
  })

  it('moves one minor at a time, over the highest release of each', () => {
    const releases = ['4.19.2', '4.19.9', '4.20.4', '4.18.1'].map(parseVersion)
    assert.deepEqual(planned(['4.18.5'], '4.21.0', [group('w', '4.17.1')], { releases }), {
      leftBehind: ['w'],
      moves: ['control plane 4.19.9', 'control plane 4.20.4', 'w 4.20.4', 'control plane 4.21.0'],
      problems: [],
    })
  })

  it('goes nowhere when a minor on the way has no release', () => {
    const { moves, problems } = planned(['4.18.5'], '4.20.0', [])
    assert.deepEqual(moves, [])
    assert.match(problems.join(), /no release of 4\.19 is known/)
  })

  it('moves over 4.22 to 5.0, which is the next minor', () => {
    assert.deepEqual(planned(['4.22.4'], '5.0.1', []).moves, ['control plane 5.0.1'])
  })

  it('finishes what it has begun first', () => {
    assert.deepEqual(planned(['4.20.1', '4.19.6'], '4.21.0', [group('w', '4.16.9')]), {
      leftBehind: ['w'],
      moves: ['w 4.19.6', 'control plane 4.20.1', 'control plane 4.21.0'],
      problems: [],
    })
  })

  it('stops before it breaks a rule, and says why', () => {
    const { moves, problems } = planned(['4.21.0', '4.20.3', '4.19.9'], '4.21.0', [group('w', '4.18.2')], { policy: 'parity' })
    assert.deepEqual(moves, [])
    assert.match(problems.join(), /^w cannot move before the control plane is at 4\.21\.0, and then 4\.18\.2 is below 4\.20/)
  })

  it('does not go back to an earlier minor', () => {
    assert.match(planned(['4.20.1'], '4.19.9', []).problems.join(), /does not go back to an earlier minor: it is at 4\.20\.1/)
  })

  it('goes back to an earlier patch after its nodes', () => {
    assert.deepEqual(planned(['4.19.6'], '4.19.4', [group('w', '4.19.6')]).moves, ['w 4.19.4', 'control plane 4.19.4'])
  })

  it('has nowhere to go when it is there, and tells what stays unsupported', () => {
    assert.deepEqual(planned(['4.20.1'], '4.20.1', [group('w', '4.20.9')]).problems, [
      'w stays unsupported: 4.20.9 is above 4.20.1, the highest version that nodes may have (by policy fixed:3, with 4.20.1 active in the control plane)',
    ])
  })

  it('cannot be planned for without its versions, or to a major that cannot be counted', () => {
    assert.deepEqual(planned([], '4.20.1', []).problems, ['the versions of the control plane are not known'])
    assert.match(planned(['4.20.1'], '6.0.0', []).problems.join(), /^6\.0\.0 cannot be planned for/)
  })
})

describe('for any control plane, nodes and policy', () => {
  const version = fc.record({ minor: fc.integer({ min: 14, max: 24 }), patch: fc.nat(9) }).map(({ minor, patch }) => `4.${minor}.${patch}`)
  const releases = Array.from({ length: 12 }, (_, index) => parseVersion(`4.${14 + index}.5`))
  const requests = fc.record({
    active: fc.array(version, { minLength: 1, maxLength: 3 }).map((texts) => [...new Set(texts)].map(parseVersion)),
    target: version.map(parseVersion),
    groups: fc
      .array(fc.array(version, { minLength: 1, maxLength: 2 }), { maxLength: 4 })
      .map((groups) => groups.map((versions, index) => group(`pool-${index}`, ...versions))),
    policy: fc.constantFrom(...Object.values(SkewPolicy)),
    releases: fc.constant(releases),
    concurrency: fc.integer({ min: 1, max: 3 }),
    groupsFollow: fc.constantFrom('needed' as const, 'all' as const),
  })

  it('no move makes a node unsupported that was supported, and none goes where it is not safe', () => {
    fc.assert(
      fc.property(requests, (request) => {
        let active: readonly Version[] = request.active
        const nodes = new Map(request.groups.map(({ name, versions }) => [name, versions]))
        for (const move of planMoves(request).moves) {
          const before = skewRange(active, request.policy)
          if (move.of === 'nodes') {
            assert.ok(move.groups.length <= request.concurrency)
            assert.equal(judgeSkew(move.to, before, 'safe').answer, 'Supported')
            for (const name of move.groups) {
              assert.ok((nodes.get(name) ?? []).every((from) => minorDistance(from, move.to) >= 0))
              nodes.set(name, [move.to])
            }
            continue
          }
          const isFinishing = active.length > 1 && active[0]?.text === move.to.text
          assert.ok(isFinishing || Math.abs(normalisedMinor(move.to) - normalisedMinor(active[0] ?? move.to)) <= 1)
          const during = skewRange([move.to, ...active], request.policy)
          const after = skewRange([move.to], request.policy)
          for (const node of [...nodes.values()].flat()) {
            if (judgeSkew(node, before).answer !== 'Supported') continue
            assert.equal(judgeSkew(node, during).answer, 'Supported')
            assert.equal(judgeSkew(node, after).answer, 'Supported')
          }
          active = [move.to]
        }
      }),
    )
  })

  it('without problems the target is reached, and everything is supported there', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { moves, problems } = planMoves(request)
        if (problems.length > 0) return
        const nodes = new Map(request.groups.map(({ name, versions }) => [name, versions]))
        let reached: Version | undefined = request.active.length === 1 ? request.active[0] : undefined
        for (const move of moves) {
          if (move.of === 'control-plane') reached = move.to
          else for (const name of move.groups) nodes.set(name, [move.to])
        }
        assert.equal(compareVersions(reached ?? assert.fail(), request.target), 0)
        const range = skewRange([request.target], request.policy)
        for (const node of [...nodes.values()].flat()) assert.equal(judgeSkew(node, range).answer, 'Supported')
      }),
    )
  })
})
