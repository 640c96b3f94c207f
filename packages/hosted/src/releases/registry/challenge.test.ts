import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { parseChallenges } from './challenge.ts'

function read(header: string): unknown {
  return parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)])
}

describe('a challenge', () => {
  for (const [header, expected] of [
    ['Basic realm="test"', [['basic', { realm: 'test' }]]],
    [
      'Bearer realm="https://auth.example.com/token",service="example.com",scope="repository:ocp/release:pull"',
      [['bearer', { realm: 'https://auth.example.com/token', service: 'example.com', scope: 'repository:ocp/release:pull' }]],
    ],
    ['bearer Realm = "a" , SERVICE=b', [['bearer', { realm: 'a', service: 'b' }]]],
    [
      'Negotiate, Basic realm="x, y", Bearer realm="z"',
      [
        ['negotiate', {}],
        ['basic', { realm: 'x, y' }],
        ['bearer', { realm: 'z' }],
      ],
    ],
    [String.raw`Basic realm="say \"hello\""`, [['basic', { realm: 'say "hello"' }]]],
    [', ,Basic', [['basic', {}]]],
    ['', []],
    ['"', []],
    ['Bearer realm="unfinished', [['bearer', {}]]],
  ] as const) {
    it(`${header || 'that is empty'} is read`, () => assert.deepEqual(read(header), expected))
  }

  it('keeps any text that is quoted', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (realm, scope) => {
        const quote = (text: string): string => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`
        fc.pre(!/[\n\r\u2028\u2029]/.test(realm + scope))
        assert.deepEqual(read(`Bearer realm=${quote(realm)}, scope=${quote(scope)}`), [['bearer', { realm, scope }]])
      }),
      { numRuns: 200 },
    )
  })

  it('that makes no sense at all does not hang', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        assert.ok(parseChallenges(header).length <= header.length)
      }),
      { numRuns: 200 },
    )
  })
})
