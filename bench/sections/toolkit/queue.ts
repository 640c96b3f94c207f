import { type Clock, systemClock } from '@windlass/core'
import { WorkQueue } from '../../../packages/kube/src/queue/index.ts'
import type { Bench } from '../../bench.ts'

const keys = Array.from({ length: 10_000 }, (_, index) => `fleet-${index % 100}/workers-${index}`)

/** Keys through the queue alone: added, taken, done. Against the least that keeps order and has no key twice. */
export async function measureQueue(bench: Bench): Promise<void> {
  const plain = await fastest(bench, plainQueue)
  const baseline = { what: 'Set and array', value: plain }
  const add = (name: string, value: number): void => bench.add({ name, value, unit: '/s', baseline })
  add('queue, add, next and done', await fastest(bench, ours({})))
  add('queue, with 100 tenants', await fastest(bench, ours({ tenant: (key) => key.slice(0, key.indexOf('/')) })))
  const sorted = await fastest(bench, plainDelays)
  const value = await fastest(bench, delayed)
  bench.add({ name: 'queue, with delays', value, unit: '/s', baseline: { what: 'sorted array', value: sorted } })
}

function plainQueue(): void {
  const present = new Set<string>()
  const waiting: string[] = []
  for (const key of keys) {
    if (present.has(key)) continue
    present.add(key)
    waiting.push(key)
  }
  for (const key of waiting) present.delete(key)
}

function ours(options: { readonly tenant?: (key: string) => string }): () => void {
  const queue = new WorkQueue({ clock: systemClock, ...options })
  return () => {
    for (const key of keys) queue.add(key)
    takeAll(queue)
  }
}

function takeAll(queue: WorkQueue): void {
  for (let key = queue.next(); key !== undefined; key = queue.next()) {
    queue.forget(key)
    queue.done(key)
  }
}

/** Delays in an order that is none, each once. */
function delayOf(index: number): number {
  return 1 + ((index * 7919) % keys.length)
}

function plainDelays(): void {
  const waiting: { readonly key: string; readonly due: number }[] = []
  for (const [index, key] of keys.entries()) waiting.push({ key, due: delayOf(index) })
  waiting.sort((a, b) => a.due - b.due)
  const present = new Set<string>()
  for (const { key } of waiting) present.add(key)
}

function delayed(): void {
  const clock = new HandClock()
  const queue = new WorkQueue({ clock })
  for (const [index, key] of keys.entries()) queue.add(key, { after: delayOf(index) })
  clock.advance(keys.length + 1)
  takeAll(queue)
}

/** Time that passes when told, in one step: what a timer costs is not the queue's. */
class HandClock implements Clock {
  #now = 0
  #fire: (() => void) | undefined

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now
  }

  after(_milliseconds: number, fire: () => void): () => void {
    this.#fire = fire
    return () => (this.#fire = undefined)
  }

  sleep(): never {
    throw new Error('nobody sleeps here')
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
    const fire = this.#fire
    this.#fire = undefined
    fire?.()
  }
}

/** Keys per second, in the best of some rounds. */
async function fastest(bench: Bench, step: () => void): Promise<number> {
  const { perSecond } = await bench.best(async () => {
    const started = performance.now()
    let count = 0
    for (; performance.now() - started < bench.roundSeconds * 300; count += keys.length) step()
    return { perSecond: (count * 1000) / (performance.now() - started) }
  })
  return perSecond
}
