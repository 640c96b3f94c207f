import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SharedWork } from './shared-work.ts'

describe('shared work', () => {
  it('is done once for all who want it at the same time, and again for who comes later', async () => {
    const work = new SharedWork<number>()
    let runs = 0
    const run = (): Promise<number> => work.run('key', undefined, () => Promise.resolve(++runs))
    assert.deepEqual(await Promise.all([run(), run(), run()]), [1, 1, 1])
    assert.equal(await run(), 2)
  })

  it('is not shared between keys', async () => {
    const work = new SharedWork<string>()
    const both = ['a', 'b'].map((key) => work.run(key, undefined, () => Promise.resolve(key)))
    assert.deepEqual(await Promise.all(both), ['a', 'b'])
  })

  it('fails for all of them alike', async () => {
    const work = new SharedWork<string>()
    const run = (): Promise<string> => work.run('key', undefined, () => Promise.reject(new Error('failed')))
    const outcomes = await Promise.allSettled([run(), run()])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(await work.run('key', undefined, () => Promise.resolve('now it works')), 'now it works')
  })

  it('goes on when one leaves, and ends when all have left', async () => {
    const work = new SharedWork<string>()
    const seen: AbortSignal[] = []
    const start = (signal: AbortSignal): Promise<string> => {
      seen.push(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('the work was aborted'))))
    }
    const [one, other] = [new AbortController(), new AbortController()]
    const first = work.run('key', one.signal, start)
    const second = work.run('key', other.signal, start)
    one.abort(new Error('the first left'))
    await assert.rejects(first, /the first left/)
    assert.equal(seen[0]?.aborted, false)
    other.abort(new Error('the second left'))
    await assert.rejects(second, /the second left/)
    assert.equal(seen[0]?.aborted, true)
    assert.equal(seen.length, 1)
    const anew = work.run('key', undefined, () => Promise.resolve('anew'))
    assert.equal(await anew, 'anew')
  })

  it('is not started for who has left already', async () => {
    const work = new SharedWork<string>()
    await assert.rejects(
      work.run('key', AbortSignal.abort(new Error('gone')), () => assert.fail('it was started')),
      /gone/,
    )
  })
})
