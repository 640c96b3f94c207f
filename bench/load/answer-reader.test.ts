import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AnswerReader } from './answer-reader.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'

function read(answer: string, ...cuts: readonly number[]): AnswerReader {
  const reader = new AnswerReader(() => true)
  const bytes = Buffer.from(answer)
  const ends = [...cuts, bytes.length]
  const parts = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).filter(({ length }) => length > 0)
  for (const [index, part] of parts.entries()) {
    assert.equal(reader.take(part), index === parts.length - 1, `${cuts.join(', ')}: it ends with the last part, and not before`)
  }
  return reader
}

describe('an answer that comes in parts', () => {
  it('is the same wherever it is cut, whether it says its length or comes in chunks', () => {
    const answers = [
      [`${ok}Content-Length: 16\r\n\r\nhello, you there`, 'hello, you there'],
      [`${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nb\r\n, you there\r\n0\r\n\r\n`, 'hello, you there'],
      [`${ok}Content-Length: 0\r\n\r\n`, ''],
    ] as const
    for (const [answer, text] of answers) {
      for (let first = 0; first <= answer.length; first++) {
        for (let second = first; second <= answer.length; second++) {
          const { status, bytes, text: body } = read(answer, first, second)
          assert.deepEqual([status, bytes, body], [200, text.length, text])
        }
      }
    }
  })

  it('says whether the connection stays open', () => {
    assert.ok(read(`${ok}Content-Length: 0\r\n\r\n`).staysOpen)
    assert.ok(!read(`${ok}Connection: close\r\nContent-Length: 0\r\n\r\n`).staysOpen)
  })
})
