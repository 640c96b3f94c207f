import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import {
  compareSemver,
  compareVersions,
  formatNormalisedMinor,
  highestVersion,
  InvalidStreamError,
  InvalidVersionError,
  isBefore,
  isSameStream,
  kubernetesMinor,
  lowestVersion,
  minorDistance,
  normalisedMinor,
  parseStream,
  parseVersion,
  streamOf,
  tryParseVersion,
  UnsupportedMajorError,
} from './index.ts'

const distance = (from: string, to: string): number => minorDistance(parseVersion(from), parseVersion(to))
const order = (a: string, b: string): number => compareVersions(parseVersion(a), parseVersion(b))

const versionText = fc
  .record({
    major: fc.constantFrom(3, 4, 5, 6),
    minor: fc.nat(30),
    patch: fc.nat(40),
    prerelease: fc.option(fc.constantFrom('ec.1', 'rc.0', 'rc.10', 'rc.2', 'rc', '0.nightly-2026-01-01', '1'), { nil: undefined }),
  })
  .map(({ major, minor, patch, prerelease }) => `${major}.${minor}.${patch}${prerelease === undefined ? '' : `-${prerelease}`}`)

describe('a version', () => {
  it('is three numbers, a pre-release and build metadata', () => {
    const text = '4.21.0-rc.2+build.7'
    assert.deepEqual(parseVersion(text), { major: 4, minor: 21, patch: 0, prerelease: ['rc', '2'], build: 'build.7', text })
  })

  for (const text of ['4.10', 'v4.10.1', '4.10.1.2', '04.1.1', '4.1.1-', '4.1.1-rc..1', '4.1.1-rc.01', ' 4.1.1', '4.1.1\n', 'x', '']) {
    it(`is not ${JSON.stringify(text)}`, () => {
      assert.equal(tryParseVersion(text), undefined)
      assert.throws(() => parseVersion(text), InvalidVersionError)
    })
  }

  it('that is absent is undefined', () => {
    assert.equal(tryParseVersion(undefined), undefined)
    assert.equal(tryParseVersion(null), undefined)
  })

  it('says in its error what was expected', () => {
    assert.throws(() => parseVersion('4.10'), /^InvalidVersionError: "4\.10" is not a version: expected three numbers/)
  })
})

describe('order', () => {
  for (const [lower, higher] of [
    ['4.15.0-rc.8', '4.15.0'],
    ['4.15.0-ec.3', '4.15.0-rc.0'],
    ['4.15.0-rc.2', '4.15.0-rc.10'],
    ['4.15.0-rc', '4.15.0-rc.0'],
    ['4.15.0-1', '4.15.0-rc'],
    ['4.9.9', '4.10.0'],
    ['4.19.6', '4.19.19'],
    ['4.22.8', '5.0.2'],
    ['4.23.4', '5.0.5'],
    ['5.0.9', '4.24.0'],
    ['5.0.0-rc.1', '4.23.0'],
    ['3.11.0', '4.0.0'],
    ['5.9.0', '6.0.0'],
  ] satisfies [string, string][]) {
    it(`has ${lower} before ${higher}`, () => {
      assert.equal(order(lower, higher), -1)
      assert.equal(order(higher, lower), 1)
      assert.ok(isBefore(parseVersion(lower), parseVersion(higher)))
    })
  }

  it('NP-23 takes 5.0.0 and 4.23.0 for one release', () => assert.equal(order('4.23.0', '5.0.0'), 0))

  it('of plain semantic versions does not', () => assert.equal(compareSemver(parseVersion('4.23.0'), parseVersion('5.0.0')), -1))

  it('ignores build metadata', () => assert.equal(order('4.20.1+a', '4.20.1+b'), 0))

  it('is total: antisymmetric and transitive', () => {
    fc.assert(
      fc.property(versionText, versionText, versionText, (a, b, c) => {
        assert.equal(order(a, b), -order(b, a) || 0)
        if (order(a, b) <= 0 && order(b, c) <= 0) assert.ok(order(a, c) <= 0)
        if (order(a, b) === 0) assert.equal(order(a, c), order(b, c))
      }),
    )
  })

  it('finds the lowest and the highest of the active versions', () => {
    const active = ['5.0.2', '4.22.8', '4.22.9'].map((text) => parseVersion(text))
    assert.equal(lowestVersion(active)?.text, '4.22.8')
    assert.equal(highestVersion(active)?.text, '5.0.2')
    assert.equal(lowestVersion([]), undefined)
  })
})

describe('minors', () => {
  it('NP-22 of 5.0 count as 4.23', () => {
    assert.equal(normalisedMinor(parseVersion('5.0.0')), 23)
    assert.equal(distance('4.23.0', '5.0.0'), 0)
    assert.equal(distance('4.20.0', '5.0.0'), 3)
    assert.equal(distance('4.19.0', '5.0.0'), 4)
  })

  it('NP-20, NP-21 are counted from the pool to the control plane', () => {
    assert.equal(distance('4.14.0', '4.18.5'), 4)
    assert.equal(distance('4.15.0', '4.18.5'), 3)
    assert.equal(distance('4.20.1', '4.19.6'), -1)
  })

  it('NP-18 of any other major are refused', () => {
    assert.throws(() => distance('4.20.0', '6.0.0'), {
      name: UnsupportedMajorError.name,
      message: 'unsupported major version 6; only 4.x and 5.x are supported',
    })
  })

  it('are shown in the name that people use', () => {
    assert.deepEqual([20, 22, 23, 24].map(formatNormalisedMinor), ['4.20', '4.22', '5.0', '5.1'])
    fc.assert(fc.property(fc.nat(60), (minor) => assert.equal(normalisedMinor(parseStream(formatNormalisedMinor(minor))), minor)))
  })

  for (const [stream, minor] of [
    ['4.14', 27],
    ['4.15', 28],
    ['4.23', 36],
    ['5.0', 36],
    ['5.1', 37],
  ] satisfies [string, number][]) {
    it(`of ${stream} bring Kubernetes 1.${minor}`, () => assert.equal(kubernetesMinor(parseStream(stream)), minor))
  }
})

describe('streams', () => {
  it('are major and minor as written', () => {
    assert.equal(streamOf(parseVersion('4.20.1-rc.1')), '4.20')
    assert.deepEqual(parseStream('5.0'), { major: 5, minor: 0 })
    assert.throws(() => parseStream('4.20.1'), InvalidStreamError)
  })

  it('L15 hold z-stream updates together', () => {
    assert.ok(isSameStream(parseVersion('4.18.1'), parseVersion('4.18.2')))
    assert.ok(!isSameStream(parseVersion('4.23.0'), parseVersion('5.0.0')))
  })
})
