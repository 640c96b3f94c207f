import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreError } from '../store.ts'
import { explain } from './data-directory.ts'

const failure = (code: string, message = code): Error => Object.assign(new Error(message), { code })

describe('what people are told about a data directory', () => {
  it('says who needs access when it cannot be written', () => {
    for (const error of [failure('EACCES'), failure('EROFS'), failure('EPERM'), new Error('attempt to write a readonly database')]) {
      assert.equal(
        explain(error, '/data').message,
        'the data directory /data cannot be written: give the user that runs Windlass write access to it, or choose another data directory',
      )
    }
  })

  it('says that space is missing', () => {
    assert.match(explain(failure('ENOSPC'), '/data').message, /^there is no space left for the data directory \/data: free some/)
  })

  it('keeps the reason where it knows no better, and the error as the cause', () => {
    const error = new Error('unable to open database file')
    const explained = explain(error, '/data')
    assert.ok(explained instanceof StoreError)
    assert.match(explained.message, /^the data directory \/data cannot be opened \(unable to open database file\): /)
    assert.equal(explained.cause, error)
  })

  it('leaves alone what was explained before', () => {
    const error = new StoreError('clear')
    assert.equal(explain(error, '/data'), error)
  })
})
