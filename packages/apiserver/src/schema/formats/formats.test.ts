import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isStringFormat, matchesFormat } from './index.ts'

/** Per format: what it accepts and what it refuses, as Go's libraries judge. */
const table: { readonly [format: string]: { readonly accepts: readonly string[]; readonly refuses: readonly string[] } } = {
  'date-time': {
    accepts: ['2026-01-01T00:00:00Z', '2026-01-01t23:59:59.123456z', '2024-02-29T00:00:00+02:00', '2026-01-01T00:00:00,5Z'],
    refuses: [
      '',
      '2026-01-01',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:00:60Z',
      '2025-02-29T00:00:00Z',
      '2026-01-01T00:00:00',
      '2026-01-01 00:00:00Z',
    ],
  },
  date: {
    accepts: ['2026-01-31', '2000-02-29', '0000-01-01'],
    refuses: ['2026-13-40', '2026-01-01T00:00:00Z', '1900-02-29', '2026-1-1', '2026-00-10', '2026-04-31'],
  },
  duration: {
    accepts: ['5m', '1h30m', '5 minutes', '0', '-1.5h', '.5s', '2 weeks', '3d', '10us', '10µs'],
    refuses: ['long', '5', '', 'soon', '5 parsecs', '99999999999999999999 days'],
  },
  byte: { accepts: ['YQ==', 'YWI=', 'YWJj', 'ab+/'], refuses: ['***', 'YQ', '', 'YQ=', 'ab-_'] },
  uuid: {
    accepts: ['11111111-2222-3333-4444-555555555555', '11111111222233334444555555555555', 'ABCDEF01-2222-3333-4444-555555555555'],
    refuses: ['x', '11111111-2222-3333-4444'],
  },
  uuid4: { accepts: ['11111111-2222-4333-8444-555555555555'], refuses: ['11111111-2222-3333-4444-555555555555'] },
  uri: {
    accepts: ['http://example.com/a?b=c', '/absolute/path', 'mailto:a@b', 'https://user:pw@[::1]:8443/x', '*', 'http://a/b c'],
    refuses: ['', 'not a url', 'relative/path', 'http://a b/', 'http://a/%zz', 'http://a:port/', ':x', 'http://a/\n'],
  },
  hostname: {
    accepts: ['a.example.com', 'localhost', 'node-1.example.com', 'a-b', 'ü.example.com'],
    refuses: ['-bad-', 'a b', '', 'a..com', `${'a'.repeat(64)}.com`, 'a.example.c', 'a_b.com'],
  },
  ipv4: { accepts: ['1.2.3.4', '010.1.1.1', '::ffff:1.2.3.4'], refuses: ['1.2.3', '::1', '1.2.3.256', ''] },
  ipv6: { accepts: ['::1', '2001:db8::1', '::ffff:1.2.3.4'], refuses: ['1.2.3.4', 'x', 'fe80::1%eth0', ':::'] },
  cidr: { accepts: ['10.0.0.0/8', '2001:db8::/32', '10.0.0.1/08'], refuses: ['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/-1', '/8'] },
  mac: {
    accepts: ['00:11:22:33:44:55', '00-11-22-33-44-55', '0011.2233.4455', '00:11:22:33:44:55:66:77'],
    refuses: ['zz', '00:11:22:33:44', '00:11-22:33:44:55'],
  },
  email: {
    accepts: ['a@example.com', 'Ann <ann@example.com>', '"Ann, B." <ann@example.com>', 'a.b+c@localhost', '"a b"@example.com'],
    refuses: ['nobody', '@example.com', 'a@', 'a..b@example.com', 'a@b@c', 'Ann ann@example.com', ''],
  },
  bsonobjectid: { accepts: ['507f1f77bcf86cd799439011'], refuses: ['507f1f77bcf86cd79943901', 'x'] },
  creditcard: { accepts: ['4111-1111-1111-1111', '5500000000000004'], refuses: ['4111111111111112', '1234'] },
  isbn: { accepts: ['0321751043', '978-0321751041'], refuses: ['0321751044', '9780321751042', 'x'] },
  isbn10: { accepts: ['080442957X'], refuses: ['978-0321751041'] },
  isbn13: { accepts: ['978 0321751041'], refuses: ['0321751043'] },
  ssn: { accepts: ['111-22-3333'], refuses: ['111223333', '11-222-3333'] },
  hexcolor: { accepts: ['#FFFFFF', 'fff'], refuses: ['#ffff', 'red'] },
  rgbcolor: { accepts: ['rgb(255, 0,12)'], refuses: ['rgb(256,0,0)', 'rgb(1,2)'] },
  'k8s-short-name': { accepts: ['a-1'], refuses: ['-a', 'A', 'a.b', ''] },
  'k8s-long-name': { accepts: ['a-1.b'], refuses: ['a..b', 'A.b'] },
  password: { accepts: ['', 'x'], refuses: [] },
}

describe('formats', () => {
  for (const [format, { accepts, refuses }] of Object.entries(table)) {
    it(`${format} tells what it is from what it is not`, () => {
      const matches = matchesFormat(format)
      for (const text of accepts) assert.equal(matches(text), true, `accepts ${JSON.stringify(text)}`)
      for (const text of refuses) assert.equal(matches(text), false, `refuses ${JSON.stringify(text)}`)
    })
  }

  it('VA-026 unknown ones are none', () => {
    assert.equal(isStringFormat('windlass-made-up'), false)
    assert.equal(isStringFormat('int32'), false)
    assert.equal(isStringFormat('datetime'), true, 'dashes do not count')
  })

  it('judge long hostile texts in no time', () => {
    const hostile = [
      'a'.repeat(100_000),
      `${'a.'.repeat(50_000)}-`,
      '"'.repeat(50_000),
      '<'.repeat(50_000),
      `${'1 '.repeat(50_000)}x`,
      `${' '.repeat(50_000)}x`,
    ]
    for (const format of Object.keys(table)) for (const text of hostile) matchesFormat(format)(text)
  })
})
