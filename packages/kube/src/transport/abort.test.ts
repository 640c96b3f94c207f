import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import { abortReason, LinkedAbort, orAborted } from './abort.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('a signal that follows another', () => {
  it('N2 is aborted with it and for the same reason', () => {
    const parent = new AbortController()
    const link = new LinkedAbort(parent.signal)
    const reason = new Error('stop')
    parent.abort(reason)
    assert.equal(link.signal.reason, reason)
  })

  it('N2 is aborted from the start when the other was', () => {
    const link = new LinkedAbort(AbortSignal.abort(new Error('too late')))
    assert.equal(abortReason(link.signal).message, 'too late')
  })

  it('N2 leaves no listener behind, neither after its own abort nor after its release', () => {
    const parent = new AbortController()
    new LinkedAbort(parent.signal).release()
    const link = new LinkedAbort(parent.signal)
    link.abort(new Error('own reason'))
    assert.equal(listeners(parent.signal), 0)
    parent.abort(new Error('another'))
    assert.equal(abortReason(link.signal).message, 'own reason')
  })
})

describe('a promise or an abort, whichever is first', () => {
  it('N2 gives the value or the failure and leaves no listener', async () => {
    const { signal } = new AbortController()
    assert.equal(await orAborted(Promise.resolve(1), signal), 1)
    await assert.rejects(orAborted(Promise.reject(new Error('failed')), signal), { message: 'failed' })
    await Promise.resolve()
    assert.equal(listeners(signal), 0)
  })

  it('N2 gives the reason of the abort, as an Error whatever it was', async () => {
    const controller = new AbortController()
    const waiting = orAborted(new Promise<void>(() => {}), controller.signal)
    controller.abort('enough')
    await assert.rejects(waiting, { message: 'aborted: enough' })
    await assert.rejects(orAborted(Promise.reject(new Error('nobody hears of it')), controller.signal), { message: 'aborted: enough' })
  })
})
