import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { activeVersions } from '../active-versions/index.ts'
import { history } from '../testing/notation.ts'
import { compareVersions, parseVersion } from '../version/index.ts'
import {
  allowedSkew,
  defaultSkewPolicy,
  explainSkew,
  judgeSkew,
  parseSkewPolicy,
  SkewPolicy,
  skewRange,
  UnknownSkewPolicyError,
  type VersionWindow,
} from './index.ts'

const shown = ({ min, max, isEmpty }: VersionWindow): string => (isEmpty ? 'empty' : `${min} .. ${max.text}`)
const windows = (updates: readonly string[], policy: SkewPolicy, guest: readonly string[] = []) => {
  const range = skewRange(activeVersions(history(...updates), history(...guest)), policy)
  return range === undefined ? undefined : [shown(range.tolerated), shown(range.safe)]
}
const judge = (version: string, reference: string, policy: SkewPolicy = 'fixed:3') =>
  judgeSkew(parseVersion(version), skewRange([parseVersion(reference)], policy))

describe('the range of node versions', () => {
  for (const [id, updates, tolerated, safe] of [
    ['N01', ['C 4.20.1', 'C 4.20.0'], '4.18 .. 4.20.1', '4.18 .. 4.20.1'],
    ['N02', ['P 4.20.1', 'P 4.19.19', 'C 4.19.6'], '4.18 .. 4.20.1', '4.18 .. 4.19.6'],
    ['N03', ['C 4.20.1', 'P 4.19.19', 'C 4.19.6'], '4.18 .. 4.20.1', '4.18 .. 4.20.1'],
    ['N04', ['P 4.21.0', 'P 4.20.3', 'C 4.19.9'], '4.18 .. 4.21.0', 'empty'],
    ['N05', ['P 4.20.0'], '4.18 .. 4.20.0', '4.18 .. 4.20.0'],
    ['N06', ['P 4.19.19', 'P 4.20.1', 'C 4.19.19'], '4.18 .. 4.20.1', '4.18 .. 4.19.19'],
    ['N07', ['P 5.0.2', 'C 4.22.8'], '4.20 .. 5.0.2', '4.22 .. 4.22.8'],
  ] satisfies [string, string[], string, string][]) {
    it(`${id} with ${updates.join(', ')} is ${tolerated}, and ${safe} to go to`, () =>
      assert.deepEqual(windows(updates, defaultSkewPolicy), [tolerated, safe]))
  }

  it('N04 tells even when it is empty what it would be', () => {
    const { lowest, highest, safe } = skewRange(activeVersions(history('P 4.21.0', 'P 4.20.3', 'C 4.19.9'))) ?? assert.fail()
    assert.deepEqual([lowest.text, highest.text, safe.min, safe.max.text], ['4.19.9', '4.21.0', '4.20', '4.19.9'])
  })

  for (const [policy, updates, tolerated, safe, guest] of [
    ['fixed:3', ['C 4.18.5'], '4.15 .. 4.18.5', '4.15 .. 4.18.5'],
    ['fixed:3', ['P 4.20.1', 'C 4.19.6'], '4.16 .. 4.20.1', '4.17 .. 4.19.6'],
    ['fixed:1', ['P 4.20.1', 'P 4.19.19', 'C 4.19.6'], '4.18 .. 4.20.1', '4.19 .. 4.19.6'],
    ['fixed:3', ['P 4.20.1', 'P 4.19.19', 'C 4.19.6'], '4.16 .. 4.20.1', '4.17 .. 4.19.6'],
    ['fixed:3', ['P 5.0.0', 'C 4.22.4'], '4.19 .. 5.0.0', '4.20 .. 4.22.4'],
    ['fixed:3', ['P 4.20.1'], '4.16 .. 4.20.1', '4.17 .. 4.19.6', ['P 4.20.1', 'C 4.19.6']],
  ] satisfies [SkewPolicy, string[], string, string, string[]?][]) {
    it(`NP-25 by ${policy} with ${updates.join(', ')} is ${tolerated}, and ${safe} to go to`, () =>
      assert.deepEqual(windows(updates, policy, guest), [tolerated, safe]))
  }

  it('N09 is unknown without a version, and with one whose minors cannot be counted', () => {
    assert.equal(skewRange(undefined), undefined)
    assert.equal(skewRange([]), undefined)
    assert.equal(windows(['C 6.0.0'], 'parity'), undefined)
  })

  it('is worth what it was judged by: the policy and the active versions', () => {
    const { policy, active } = skewRange(activeVersions(history('P 4.20.1', 'C 4.19.6'))) ?? assert.fail()
    assert.deepEqual([policy, ...active.map(({ text }) => text)], ['parity', '4.20.1', '4.19.6'])
  })
})

describe('a version', () => {
  for (const version of ['4.18.5', '4.18.4', '4.17.25', '4.16.0', '4.15.20']) {
    it(`${version} is supported by a control plane at 4.18.5`, () => assert.equal(judge(version, '4.18.5').answer, 'Supported'))
  }

  for (const [id, version, reference, answer] of [
    ['NP-19', '4.18.10', '4.18.5', 'TooNew'],
    ['NP-20', '4.14.0', '4.18.5', 'TooOld'],
    ['NP-21', '4.15.0', '4.18.5', 'Supported'],
    ['NP-22', '4.23.0', '5.0.0', 'Supported'],
    ['NP-22', '4.20.0', '5.0.0', 'Supported'],
    ['NP-22', '4.19.0', '5.0.0', 'TooOld'],
    ['NP-23', '5.0.0', '4.23.0', 'Supported'],
    ['NP-28', '4.16.9', '4.20.0', 'TooOld'],
    ['NP-28', '4.17.2', '4.20.0', 'Supported'],
    ['NP-18', '3.11.0', '4.18.5', 'Unknown'],
  ] satisfies [string, string, string, string][]) {
    it(`${id} ${version} against ${reference} is ${answer}`, () => assert.equal(judge(version, reference).answer, answer))
  }

  it('may stay where it may not go to', () => {
    const range = skewRange(activeVersions(history('P 4.20.1', 'C 4.19.6')))
    assert.equal(judgeSkew(parseVersion('4.20.1'), range, 'tolerated').answer, 'Supported')
    assert.equal(judgeSkew(parseVersion('4.20.1'), range, 'safe').answer, 'TooNew')
  })

  it('is explained with the policy and the active versions', () => {
    const range = skewRange(activeVersions(history('P 4.20.1', 'C 4.19.6')))
    const basis = '(by policy parity, with 4.20.1, 4.19.6 active in the control plane)'
    const explain = (version: string, window: 'tolerated' | 'safe' = 'tolerated') =>
      explainSkew(judgeSkew(parseVersion(version), range, window))
    assert.equal(explain('4.19.6'), `4.19.6 is supported ${basis}`)
    assert.equal(explain('4.20.0', 'safe'), `4.20.0 is above 4.19.6, the highest version that nodes may have ${basis}`)
    assert.equal(explain('4.17.0'), `4.17.0 is below 4.18, the lowest minor that nodes may have ${basis}`)
    assert.match(explain('6.0.0'), /^6\.0\.0 cannot be judged: minors/)
    const wide = skewRange(activeVersions(history('P 4.21.0', 'C 4.19.9')))
    assert.match(
      explainSkew(judgeSkew(parseVersion('4.19.9'), wide, 'safe')),
      /^no version is safe now: finish the update of the control plane first/,
    )
    assert.match(explainSkew(judgeSkew(parseVersion('4.19.9'), undefined)), /^4\.19\.9 cannot be judged: the versions of the control plane/)
  })
})

describe('a skew policy', () => {
  it('is one of four', () => {
    assert.deepEqual(['parity', 'fixed:1', 'fixed:2', 'fixed:3'].map(parseSkewPolicy), Object.values(SkewPolicy))
    assert.throws(() => parseSkewPolicy('fixed:4'), {
      name: UnknownSkewPolicyError.name,
      message: '"fixed:4" is no skew policy: choose one of parity, fixed:1, fixed:2, fixed:3',
    })
  })

  it('allows two minors behind an even one, one behind an odd one, by default', () => {
    const skews = ['4.18.0', '4.19.0', '4.20.0', '4.23.0', '5.0.0', '5.1.0'].map((text) =>
      allowedSkew(defaultSkewPolicy, parseVersion(text)),
    )
    assert.deepEqual(skews, [2, 1, 2, 1, 1, 2])
  })
})

describe('for any control plane and policy', () => {
  const version = fc
    .record({ major: fc.constantFrom(4, 5), minor: fc.nat(30), patch: fc.nat(20), isCandidate: fc.boolean() })
    .map(({ major, minor, patch, isCandidate }) => parseVersion(`${major}.${minor}.${patch}${isCandidate ? '-rc.1' : ''}`))
  const policy = fc.constantFrom(...Object.values(SkewPolicy))
  const active = fc.array(version, { minLength: 1, maxLength: 5 })

  it('what is safe is tolerated, and is above nothing that may run', () => {
    fc.assert(
      fc.property(active, policy, version, (active, policy, node) => {
        const range = skewRange(active, policy) ?? assert.fail()
        if (judgeSkew(node, range, 'safe').answer !== 'Supported') return
        assert.equal(judgeSkew(node, range, 'tolerated').answer, 'Supported')
        assert.ok(active.every((each) => compareVersions(node, each) <= 0))
        assert.ok(active.every((each) => judgeSkew(node, skewRange([each], policy)).answer === 'Supported'))
      }),
    )
  })

  it('every active version is tolerated', () => {
    fc.assert(
      fc.property(active, policy, (active, policy) => {
        const range = skewRange(active, policy)
        for (const each of active) assert.equal(judgeSkew(each, range).answer, 'Supported')
      }),
    )
  })

  it('one more active version tolerates no less and makes no more safe', () => {
    fc.assert(
      fc.property(active, version, policy, version, (active, another, policy, node) => {
        const before = skewRange(active, policy)
        const after = skewRange([...active, another], policy)
        const is = (range: typeof before, window: 'tolerated' | 'safe'): boolean => judgeSkew(node, range, window).answer === 'Supported'
        if (is(before, 'tolerated')) assert.ok(is(after, 'tolerated'))
        if (is(after, 'safe')) assert.ok(is(before, 'safe'))
      }),
    )
  })

  it('a wider policy supports no less', () => {
    fc.assert(
      fc.property(active, version, (active, node) => {
        const supports = (policy: SkewPolicy): boolean => judgeSkew(node, skewRange(active, policy)).answer === 'Supported'
        const answers = (['fixed:1', 'fixed:2', 'fixed:3'] as const).map(supports)
        assert.deepEqual(
          answers,
          answers.toSorted((a, b) => Number(a) - Number(b)),
        )
      }),
    )
  })
})
