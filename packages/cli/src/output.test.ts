import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { shellWord, streamOutput } from './output.ts'

describe('a word for the shell', () => {
  for (const [word, quoted] of [
    ['/home/me/.windlass/data/kubeconfig', '/home/me/.windlass/data/kubeconfig'],
    ['/home/me/my work/kubeconfig', `'/home/me/my work/kubeconfig'`],
    [`it's`, `'it'\\''s'`],
    ['$HOME', `'$HOME'`],
    ['', `''`],
  ] as const) {
    it(`${word} is ${quoted}`, () => assert.equal(shellWord(word), quoted))
  }
})

describe('output', () => {
  it('keeps results and complaints apart', async () => {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const output = streamOutput(out, err)
    output.print('result')
    output.complain('problem')
    out.end()
    err.end()
    assert.deepEqual([await text(out), await text(err)], ['result\n', 'problem\n'])
  })

  it('knows a screen, and how much it shows', () => {
    const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 30 })
    assert.deepEqual(streamOutput(screen, new PassThrough()).terminal, { columns: 100, rows: 30, hasColours: false })
    const unknown = Object.assign(new PassThrough(), { isTTY: true, columns: 0 })
    assert.deepEqual(streamOutput(unknown, new PassThrough()).terminal, { columns: 80, rows: 24, hasColours: false })
    const colourful = Object.assign(new PassThrough(), { isTTY: true, hasColors: () => true })
    assert.equal(streamOutput(colourful, new PassThrough()).terminal?.hasColours, true)
    assert.equal(streamOutput(new PassThrough(), screen).terminal, undefined)
  })

  it('survives a reader that has gone away', () => {
    const out = new PassThrough()
    streamOutput(out, new PassThrough())
    assert.equal(out.emit('error', new Error('EPIPE')), true)
  })
})
