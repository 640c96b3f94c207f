import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cut, paintFor, visibleLength } from './colours.ts'

const output = { print: () => {}, complain: () => {} }
const paint = paintFor({ ...output, terminal: { columns: 80, rows: 24, hasColours: true } })
const escape = '\u001B'

describe('colours', () => {
  it('are only where somebody looks and wants them', () => {
    assert.equal(paint('a', 'red'), `${escape}[31ma${escape}[0m`)
    assert.equal(paint('a'), 'a')
    assert.equal(paintFor(output)('a', 'red'), 'a')
    assert.equal(paintFor({ ...output, terminal: { columns: 80, rows: 24, hasColours: false } })('a', 'red'), 'a')
  })

  it('take no room, and end where a line is cut', () => {
    const line = `a ${paint('long', 'red')} line`
    assert.equal(visibleLength(line), 11)
    assert.equal(cut(line, 11), line)
    assert.equal(cut(line, 5), `a ${escape}[31mlo…${escape}[0m`)
    assert.equal(cut(line, 9), `a ${escape}[31mlong${escape}[0m l…`.replace(' l…', ' l…'))
    assert.equal(visibleLength(cut(line, 9)), 9)
  })
})
