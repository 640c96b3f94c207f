import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkQueue } from './work-queue.ts'

/** A queue whose work ends when the test says so. */
interface Fixture {
  readonly queue: WorkQueue
  readonly log: string[]
  readonly problems: string[]
  readonly finish: (key: string, error?: Error) => Promise<void>
}

function aQueue(concurrency: number): Fixture {
  const running = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  const log: string[] = []
  const problems: string[] = []
  const work = (key: string): Promise<void> => {
    log.push(key)
    return new Promise((resolve, reject) => running.set(key, { resolve, reject }))
  }
  const queue = new WorkQueue(concurrency, work, (key, error) => problems.push(`${key}: ${String(error)}`))
  return {
    queue,
    log,
    problems,
    finish: async (key, error) => {
      const work = running.get(key)
      assert.ok(work !== undefined, `${key} is not running`)
      running.delete(key)
      if (error === undefined) work.resolve()
      else work.reject(error)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('a key that is added many times is worked on once', async () => {
  const { queue, log, finish } = aQueue(1)
  queue.add('busy')
  for (let count = 0; count < 3; count++) queue.add('a')
  await finish('busy')
  await finish('a')
  assert.deepEqual(log, ['busy', 'a'])
})

test('a key that is added while it is worked on is worked on again, and never by two at once', async () => {
  const { queue, log, finish } = aQueue(4)
  queue.add('a')
  queue.add('a')
  assert.deepEqual(log, ['a'])
  await finish('a')
  assert.deepEqual(log, ['a', 'a'])
})

test('no more keys are worked on at once than told', async () => {
  const { queue, log, finish } = aQueue(2)
  for (const key of ['a', 'b', 'c']) queue.add(key)
  assert.deepEqual(log, ['a', 'b'])
  await finish('b')
  assert.deepEqual(log, ['a', 'b', 'c'])
})

test('a failure is told and holds up nobody', async () => {
  const { queue, log, problems, finish } = aQueue(1)
  queue.add('a')
  queue.add('b')
  await finish('a', new Error('no luck'))
  assert.deepEqual(problems, ['a: Error: no luck'])
  assert.deepEqual(log, ['a', 'b'])
})

test('a queue that stops waits for what is running, and starts nothing more', async () => {
  const { queue, log, finish } = aQueue(1)
  queue.add('a')
  queue.add('b')
  let isStopped = false
  const stopping = queue.stop().then(() => (isStopped = true))
  queue.add('c')
  assert.equal(isStopped, false)
  await finish('a')
  await stopping
  assert.deepEqual(log, ['a'])
})

test('an idle queue says so at once', async () => {
  const { queue, finish } = aQueue(1)
  await queue.idle()
  queue.add('a')
  const idle = queue.idle()
  await finish('a')
  await idle
})
