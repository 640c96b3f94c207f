import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CredentialError, StoreError, TokenFileError } from '@windlass/apiserver'
import { CommanderError } from 'commander'
import { BadNews, explainFailure, Failure, fileProblem } from './failures.ts'

describe('a failure', () => {
  for (const error of [
    new Failure('the lake is dry: wait for rain'),
    new StoreError('the data directory /d is in use by process 7: stop that process, or choose another data directory'),
    new TokenFileError('tokens.csv', 3, 'the token in column 1 is empty'),
    new CredentialError('ca.key', 'is not a private key in PEM form'),
  ]) {
    it(`of the class ${error.name} speaks for itself`, () => {
      assert.deepEqual(explainFailure(error), { status: 1, sentence: error.message })
    })
  }

  it('that nobody foresaw says so, on one line and without a stack', () => {
    const { status, sentence = '' } = explainFailure(new TypeError('x is not\n   a function'))
    assert.equal(status, 1)
    assert.match(sentence, /^something unexpected happened: x is not a function \(/)
    assert.doesNotMatch(sentence, /\n/)
    assert.match(explainFailure('thrown text').sentence ?? '', /thrown text/)
  })

  it('that is bad news has been told already; its status is all that is left to say', () => {
    assert.deepEqual(explainFailure(new BadNews(2)), { status: 2 })
  })

  it('of the command line has been told by commander', () => {
    assert.deepEqual(explainFailure(new CommanderError(1, 'commander.unknownOption', 'unknown option')), { status: 2 })
    assert.deepEqual(explainFailure(new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)')), { status: 0 })
  })
})

const listenError = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'listen', address: '127.0.0.1', port: 6443 })

describe('a port that cannot be opened', () => {
  for (const [code, sentence] of [
    ['EADDRINUSE', 'port 6443 on 127.0.0.1 is in use: stop what listens there, or choose another with --port (0 picks a free one)'],
    ['EACCES', 'port 6443 on 127.0.0.1 may not be opened by this user: choose one above 1023 with --port'],
    ['EADDRNOTAVAIL', 'this machine does not have the address 127.0.0.1: choose another with --host'],
  ] as const) {
    it(`because of ${code} says what to do`, () => {
      assert.deepEqual(explainFailure(listenError(code)), { status: 1, sentence })
    })
  }

  it('because the host is unknown says what to do', () => {
    const error = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere.invalid' })
    assert.equal(explainFailure(error).sentence, 'the address nowhere.invalid is not known here: choose another with --host')
  })
})

describe('a problem with a file', () => {
  it('is named in words where the system has a code for it, in its own otherwise', () => {
    assert.equal(fileProblem(Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' })), 'permission denied')
    assert.equal(fileProblem(new Error('the disk is on fire')), 'the disk is on fire')
  })
})
