import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { history, image } from '../testing/notation.ts'
import { exposure, InvalidAdvisoryError, parseAdvisory } from './index.ts'

const advisory = parseAdvisory({ fixedIn: { '4.20': '4.20.1' } })
const status = (updates: readonly string[], to = advisory) => exposure({ history: history(...updates) }, to).status

describe('a control plane', () => {
  it('N09 of which nothing is known may be exposed or not', () => {
    assert.equal(exposure(undefined, advisory).status, 'Unknown')
    assert.equal(exposure({}, advisory).status, 'Unknown')
    assert.equal(status([]), 'Unknown')
  })

  it('N10 on its way to a fixed version is pending', () => assert.equal(status(['P 4.20.1', 'C 4.20.0']), 'Pending'))
  it('N11 that has completed a fixed version is fixed', () => assert.equal(status(['C 4.20.1']), 'Fixed'))
  it('N12 below the fix is vulnerable', () => assert.equal(status(['C 4.20.0']), 'Vulnerable'))
  it('N13 of a minor without a listed fix is unknown, however new it is', () => assert.equal(status(['C 4.21.0']), 'Unknown'))

  it('on its way to a version below the fix is vulnerable', () => assert.equal(status(['P 4.20.0', 'C 4.20.5']), 'Vulnerable'))
  it('on its way from one fixed version to another is fixed', () => assert.equal(status(['P 4.20.2', 'C 4.20.1']), 'Fixed'))
  it('is pending while a version may run whose minor has no listed fix', () => assert.equal(status(['P 4.20.1', 'C 4.19.6']), 'Pending'))
  it('is fixed when each version has the fix of its own minor', () => {
    const both = parseAdvisory({ fixedIn: { '4.20': '4.20.1', '4.19': '4.19.6' } })
    assert.equal(status(['P 4.20.1', 'C 4.19.6'], both), 'Fixed')
    assert.equal(status(['P 4.20.1', 'C 4.19.5'], both), 'Pending')
  })
  it('is pending while a version may run that cannot be read', () => assert.equal(status(['P 4.20.1', 'C x']), 'Pending'))
  it('whose version cannot be read is unknown', () => assert.equal(status(['C x']), 'Unknown'))
  it('of another line of releases is unknown', () => assert.equal(status(['C 6.20.1']), 'Unknown'))
  it('at a pre-release of the fix is vulnerable', () => assert.equal(status(['C 4.20.1-rc.1']), 'Vulnerable'))
  it('at 5.0 has the fix of 4.23, being the same release', () => {
    assert.equal(status(['C 5.0.3'], parseAdvisory({ fixedIn: { '4.23': '4.23.3' } })), 'Fixed')
  })

  it('is judged by its image when fixed images are listed', () => {
    const byImage = parseAdvisory({ fixedIn: { '4.20': '4.20.1' }, images: [image('B').replace('quay.io', 'mirror.local')] })
    assert.equal(status(['C 4.20.1/B'], byImage), 'Fixed')
    assert.equal(status(['P 4.20.1/B', 'C 4.20.1/A'], byImage), 'Pending')
    assert.equal(status(['C 4.20.1/A'], byImage), 'Pending')
    assert.equal(status(['C 4.20.0/B'], byImage), 'Vulnerable')
  })

  it('is told why', () => {
    const reason = (...updates: readonly string[]): string => exposure({ history: history(...updates) }, advisory).reason
    assert.equal(reason('C 4.20.0'), '4.20.0 is below 4.20.1: update to that or above')
    assert.equal(reason('P 4.20.1', 'C 4.20.0'), 'the update to 4.20.1 is not complete; "4.20.0" may still run')
    assert.equal(reason('C 4.21.0'), 'no fix is listed for the minor of 4.21.0')
    assert.equal(reason(), 'no update of the control plane is on record')
  })
})

describe('an advisory', () => {
  it('is refused when a fix is in another minor', () => {
    assert.throws(() => parseAdvisory({ fixedIn: { '4.20': '4.21.3' } }), {
      name: InvalidAdvisoryError.name,
      message: 'the fix for 4.20 is given as 4.21.3, which is another minor: expected 4.20.z',
    })
  })

  it('is refused with two fixes for one minor', () => {
    assert.throws(() => parseAdvisory({ fixedIn: { '4.23': '4.23.3', '5.0': '5.0.4' } }), InvalidAdvisoryError)
    assert.equal(parseAdvisory({ fixedIn: { '4.23': '4.23.3', '5.0': '5.0.3' } }).fixes.size, 1)
  })

  it('is refused with what is no version', () => {
    assert.throws(() => parseAdvisory({ fixedIn: { '4.20': '4.20' } }), /"4\.20" is not a version/)
    assert.throws(() => parseAdvisory({ fixedIn: { '4.20.1': '4.20.1' } }), /is not a minor stream/)
    assert.throws(() => parseAdvisory({ fixedIn: { '6.1': '6.1.0' } }), /unsupported major version 6/)
  })
})
