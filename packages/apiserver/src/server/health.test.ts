import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HealthCheck, healthAnswer } from './health.ts'

const fine: HealthCheck = { name: 'ping', problem: () => undefined }
const ill: HealthCheck = { name: 'storage', problem: () => 'the disk is full' }

function ask(url: string, ...checks: HealthCheck[]): { readonly status: number; readonly text: string } | undefined {
  const { pathname, searchParams } = new URL(url, 'http://test')
  const answer = healthAnswer(pathname, searchParams, checks)
  if (answer === undefined) return undefined
  assert.ok(Buffer.isBuffer(answer.body))
  return { status: answer.status, text: answer.body.toString('utf8') }
}

test('D9 a healthy server says ok', () => {
  assert.deepEqual(ask('/readyz', fine), { status: 200, text: 'ok' })
})

test('D9 ?verbose names every check', () => {
  assert.deepEqual(ask('/readyz?verbose', fine), { status: 200, text: '[+]ping ok\nreadyz check passed\n' })
})

test('D9 a failed check is 500 and says what is wrong', () => {
  assert.deepEqual(ask('/livez', fine, ill), { status: 500, text: '[+]ping ok\n[-]storage failed: the disk is full\nlivez check failed\n' })
})

test('D9 a single check can be asked for, one that does not exist cannot', () => {
  assert.equal(ask('/readyz/ping', fine, ill)?.status, 200)
  assert.equal(ask('/readyz/storage', fine, ill)?.status, 500)
  assert.equal(ask('/readyz/nothing', fine, ill), undefined)
})

test('D9 a check can be excluded', () => {
  assert.equal(ask('/readyz?exclude=storage', fine, ill)?.status, 200)
})
