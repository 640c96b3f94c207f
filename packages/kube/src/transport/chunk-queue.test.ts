import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ChunkQueue } from './chunk-queue.ts'

/** Long enough for promises that follow from promises. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const text = (value: string): Buffer => Buffer.from(value)

async function readAll(queue: ChunkQueue): Promise<readonly string[]> {
  const pieces: string[] = []
  for await (const chunk of queue) pieces.push(chunk.toString())
  return pieces
}

describe('a queue of bytes', () => {
  it('N3 hands over together what was pushed together, to a reader that waits and to one that comes late', async () => {
    const queue = new ChunkQueue()
    const reading = readAll(queue)
    queue.push(text('a'))
    queue.push(text('b'))
    await settled()
    queue.push(text('c'))
    queue.push(text('d'))
    queue.end()
    assert.deepEqual(await reading, ['ab', 'cd'])

    const late = new ChunkQueue()
    late.push(text('a'))
    late.push(text('b'))
    late.end()
    assert.deepEqual(await readAll(late), ['ab'])
  })

  it('N3 gives what came before the connection broke, then the reason', async () => {
    const queue = new ChunkQueue()
    queue.push(text('a'))
    queue.fail(new Error('broken'))
    assert.equal((await queue.next()).value?.toString(), 'a')
    await assert.rejects(queue.next(), { message: 'broken' })
    assert.deepEqual(await queue.next(), { done: true, value: undefined })
  })

  it('N2 gives nothing more after an abort', async () => {
    const queue = new ChunkQueue()
    queue.push(text('a'))
    queue.abort(new Error('aborted'))
    assert.equal(queue.push(text('b')), true)
    await assert.rejects(queue.next(), { message: 'aborted' })
  })

  it('N3 asks the writer to stop at half a megabyte, and to go on when it is read', async () => {
    let drained = 0
    const queue = new ChunkQueue({ onDrained: () => drained++ })
    assert.equal(queue.push(Buffer.alloc(500_000)), true)
    assert.equal(queue.push(Buffer.alloc(500_000)), false)
    assert.equal(queue.buffered, 1_000_000)
    await queue.next()
    assert.deepEqual([drained, queue.buffered], [1, 0])
  })

  it('N2 tells the writer when the reader leaves, but not when everything was read', async () => {
    let left = 0
    const queue = new ChunkQueue({ onLeft: () => left++ })
    queue.push(text('a'))
    await queue.next()
    await queue.return()
    assert.deepEqual([left, queue.isOpen], [1, false])

    const whole = new ChunkQueue({ onLeft: () => left++ })
    whole.end()
    assert.deepEqual(await readAll(whole), [])
    await whole.return()
    assert.equal(left, 1)
  })

  it('N2 lets go of a reader that waits when it leaves', async () => {
    const queue: ChunkQueue = new ChunkQueue({ onLeft: () => queue.abort(new Error('the writer stops')) })
    const waiting = queue.next()
    await queue.return()
    assert.deepEqual(await waiting, { done: true, value: undefined })
  })
})
