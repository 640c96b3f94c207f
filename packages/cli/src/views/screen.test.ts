import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fitted, scrollingScreen, terminalScreen } from './screen.ts'
import { progressBar } from './status/index.ts'

describe('a view that is watched', () => {
  it('is drawn over the last one on a terminal', () => {
    const written: string[] = []
    const screen = terminalScreen(
      (text) => void written.push(text),
      () => ({ columns: 10, rows: 10 }),
    )
    screen.draw(['one', 'two'])
    screen.draw(['three'])
    screen.draw(['four'])
    assert.deepEqual(written, ['one\ntwo', '\u001B[2A\u001B[Jthree', '\u001B[1A\u001B[Jfour'])
  })

  it('fits the terminal', () => {
    assert.deepEqual(fitted(['12345678', '123456789'], { columns: 8, rows: 10 }), ['12345678', '1234567…'])
    assert.deepEqual(fitted(['a', 'b', 'c', 'd'], { columns: 80, rows: 4 }), ['a', 'b', '... 2 more lines'])
    assert.deepEqual(fitted(['a', 'b', 'c'], { columns: 80, rows: 4 }), ['a', 'b', 'c'])
  })

  it('is written again in a file only when it has changed', () => {
    const written: string[] = []
    const screen = scrollingScreen((text) => void written.push(text))
    for (const lines of [['one'], ['one'], ['two']]) screen.draw(lines)
    assert.deepEqual(written, ['one', '\ntwo'])
  })

  it('has bars that are full only when all is done', () => {
    assert.equal(progressBar(0), '░░░░░░░░░░░░░░░░░░░░')
    assert.equal(progressBar(99), '███████████████████░')
    assert.equal(progressBar(100), '████████████████████')
  })
})
