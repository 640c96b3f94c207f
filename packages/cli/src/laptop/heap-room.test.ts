import { equal } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { heapArgument, type HeapLimits } from './heap-room.ts'

const limits: HeapLimits = { limit: 4288, machine: 24_000, nodeArguments: [] }

describe('room for the heap of a fleet', () => {
  it('is what Node gives by itself for the usual fleet, and for two hundred clusters', () => {
    equal(heapArgument(8, limits), undefined)
    equal(heapArgument(200, limits), undefined)
  })

  it('grows with the fleet', () => {
    equal(heapArgument(1000, limits), '--max-old-space-size=13000')
  })

  it('leaves a fourth of the machine to others', () => {
    equal(heapArgument(10_000, limits), '--max-old-space-size=18000')
    equal(heapArgument(1000, { ...limits, machine: 4000 }), undefined)
  })

  it('is left to whoever has chosen it, on the command line or in NODE_OPTIONS', () => {
    equal(heapArgument(1000, { ...limits, nodeArguments: ['--max-old-space-size=5000'] }), undefined)
    equal(heapArgument(1000, { ...limits, nodeArguments: ['--max_old_space_size=5000'] }), undefined)
    equal(heapArgument(1000, { ...limits, nodeArguments: ['--cpu-prof'] }), '--max-old-space-size=13000')
  })
})
