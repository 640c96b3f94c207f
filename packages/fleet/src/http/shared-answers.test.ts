import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { SharedAnswers } from './shared-answers.ts'

describe('an answer', () => {
  it('is found out once for all who ask at the same time, and anew for who asks later', async () => {
    const clock = new VirtualClock()
    const asked: string[] = []
    const answers = new SharedAnswers(async (about) => asked.push(about), clock)
    assert.deepEqual(await Promise.all([answers.get('a'), answers.get('a'), answers.get('b')]), [1, 1, 2])
    await clock.advance(1000)
    assert.equal(await answers.get('a'), 1)
    await clock.advance(1500)
    assert.equal(await answers.get('a'), 3)
    assert.deepEqual(asked, ['a', 'b', 'a'])
  })

  it('that cannot be found out is asked for again at once', async () => {
    let isDown = true
    const answers = new SharedAnswers(async () => {
      if (isDown) throw new Error('away')
      return 'back'
    }, new VirtualClock())
    await assert.rejects(answers.get('a'), { message: 'away' })
    isDown = false
    assert.equal(await answers.get('a'), 'back')
  })
})
