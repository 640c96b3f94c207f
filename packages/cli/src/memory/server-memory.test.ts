import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { keepMemorySmall } from './server-memory.ts'

const megabyte = 1024 ** 2

/** A server that takes a share of a core, and what was done to it. */
function aServer() {
  const clock = new VirtualClock()
  const stop = new AbortController()
  const state = { share: 0, cpu: 0, nursery: 2 * megabyte, mayGrow: true, collections: 0 }
  const kept = keepMemorySmall(clock, stop.signal, {
    cpu: () => state.cpu,
    nurserySize: () => state.nursery,
    letNurseryGrow: (mayGrow) => (state.mayGrow = mayGrow),
    collect: () => state.collections++,
  })
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      state.cpu += state.share * 1000
      await clock.advance(1_000)
    }
  }
  return { state, stop, kept, pass }
}

describe('the memory of a server', () => {
  it('is given back once, some seconds after a load', async () => {
    const { state, pass } = aServer()
    await pass(60)
    assert.equal(state.collections, 1, 'the start is a load')
    state.share = 0.8
    await pass(60)
    assert.equal(state.collections, 1, 'nobody stops to tidy up under load')
    state.share = 0.01
    await pass(4)
    assert.equal(state.collections, 1)
    await pass(60)
    assert.equal(state.collections, 2)
  })

  it('is left alone when the load goes on after a short rest', async () => {
    const { state, pass } = aServer()
    for (let round = 0; round < 10; round++) {
      state.share = 0.8
      await pass(2)
      state.share = 0
      await pass(4)
    }
    assert.equal(state.collections, 0)
  })

  it('has a bounded space for new objects, which grows again when it has become small', async () => {
    const { state, pass } = aServer()
    await pass(1)
    assert.equal(state.mayGrow, true)
    state.nursery = 32 * megabyte
    await pass(1)
    assert.equal(state.mayGrow, false)
    state.nursery = 2 * megabyte
    await pass(1)
    assert.equal(state.mayGrow, true)
  })

  it('is nobody’s business when the server ends', async () => {
    const { stop, kept, pass } = aServer()
    await pass(3)
    stop.abort()
    await kept
  })
})
