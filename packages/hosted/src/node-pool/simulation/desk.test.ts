import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { IgnitionService } from '../token/index.ts'
import { Desk } from './desk.ts'
import { home, questionWith } from './world.ts'

describe('the desk before simulated processes', () => {
  it('tells those who wait for a process that it is gone, when another life of it begins', async () => {
    const clock = new VirtualClock()
    const desk = new Desk()
    const ignition = new IgnitionService()
    ignition.store.keep('one', { payload: '{}', cloudConfigHash: '' }, clock.now())
    ignition.know({ namespace: home, name: 'token-workers-a' }, ['one'], Number.POSITIVE_INFINITY)
    desk.opens('operator-1', ignition, clock)
    // Nobody writes down that it has come.
    const answer = desk.fetch(questionWith('one', 'a'), new AbortController().signal)
    desk.opens('operator-1', new IgnitionService(), clock)
    await clock.advance(60_000)
    assert.equal((await answer).status, 503)
  })
})
