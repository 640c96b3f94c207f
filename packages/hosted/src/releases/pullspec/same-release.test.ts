import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sameImage, sameRelease } from './same-release.ts'

const imageA = 'example.com/ocp/release@sha256:aaaa'
const imageB = 'example.com/ocp/release@sha256:bbbb'

describe('the same release', () => {
  for (const [recordedVersion, recordedImage, wantedVersion, wantedImage, isSame] of [
    ['4.20.1', imageA, '4.20.1', imageA, true],
    ['4.20.1', imageA, '4.20.1', imageB, false],
    ['4.20.1', imageA, '4.20.2', imageA, false],
    ['4.20.1', imageA, '4.20.2', imageB, false],
    ['', imageA, '4.20.1', imageA, true],
    ['4.20.1', '', '4.20.1', imageA, true],
    ['4.20.1', imageA, '', imageA, true],
    ['4.20.1', imageA, '', imageB, false],
    ['', '', '4.20.1', imageA, false],
    ['', '', '', '', false],
  ] as const) {
    const name = (version: string, image: string): string => `${version || 'empty'}/${image.slice(-4) || 'empty'}`
    it(`2.3 ${name(recordedVersion, recordedImage)} and ${name(wantedVersion, wantedImage)}: ${isSame ? 'yes' : 'no'}`, () => {
      const recorded = { version: recordedVersion, image: recordedImage }
      assert.equal(sameRelease(recorded, { version: wantedVersion, image: wantedImage }), isSame)
    })
  }

  it('V28 a digest is the same image in every registry', () => {
    assert.ok(sameImage('example.com/r@sha256:1', 'mirror.local/r@sha256:1'))
    assert.ok(sameImage('example.com/r:4.20.1@sha256:1', 'mirror.local:5000/other@sha256:1'))
  })

  it('V29 a tag cannot be proven to be the same image as a digest', () => {
    assert.ok(!sameImage('example.com/r:4.20.1', 'example.com/r@sha256:1'))
  })

  it('2.3 tags are the same image when they are the same text', () => {
    assert.ok(sameImage('example.com/r:4.20.1', 'example.com/r:4.20.1'))
    assert.ok(!sameImage('example.com/r:4.20.1', 'mirror.local/r:4.20.1'))
  })
})
