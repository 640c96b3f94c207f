import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Arena } from './arena.ts'

describe('an arena', () => {
  const filled = (arena: Arena, sizes: readonly number[]): readonly Buffer[] => sizes.map((size, index) => arena.allocate(size).fill(index))

  it('gives memory that nobody else has, of any size', () => {
    const sizes = [0, 1, 100_000, 200_000, 256 * 1024, 1_500_000, 3]
    const given = filled(new Arena(), sizes)
    for (const [index, buffer] of given.entries()) assert.deepEqual(buffer, Buffer.alloc(sizes[index] ?? 0, index))
  })

  it('gives the same memory again after a reset', () => {
    const arena = new Arena()
    const blocksOf = (buffers: readonly Buffer[]) => new Set(buffers.map(({ buffer }) => buffer))
    const first = blocksOf(filled(arena, [200_000, 200_000, 200_000]))
    arena.reset()
    assert.deepEqual(blocksOf(filled(arena, [200_000, 200_000, 200_000])), first)
  })
})
