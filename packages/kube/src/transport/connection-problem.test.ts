import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { closedError, connectionError, isLasting } from './connection-problem.ts'
import { ConnectionError } from './transport.ts'

const failure = (code: string, message = 'something'): Error => Object.assign(new Error(message), { code })
const server = 'https://api.example.com:6443'

describe('a connection that failed', () => {
  for (const [code, sentence, isUnsent] of [
    ['ECONNREFUSED', 'refuses connections: check that the server runs and that the address is right', true],
    ['ENOTFOUND', 'has a name that cannot be resolved: check the address, or the name server of this machine', true],
    ['EAI_AGAIN', 'has a name that cannot be resolved right now: check the name server of this machine', true],
    ['UND_ERR_CONNECT_TIMEOUT', 'does not answer: check that a firewall lets connections through', true],
    ['ECONNRESET', 'closed the connection before its answer was complete: check whether the server has restarted', false],
    ['CERT_HAS_EXPIRED', 'has a certificate that has expired: renew it, or check the clock of this machine', false],
  ] satisfies [string, string, boolean][]) {
    it(`N2 says what ${code} means`, () => {
      const error = connectionError(failure(code), server)
      assert.equal(error.message, `${server} ${sentence} (${code})`)
      assert.deepEqual([error.name, error.code, error.isUnsent], ['ConnectionError', code, isUnsent])
    })
  }

  it('N2 is told in the words of the system when there are no better ones', () => {
    assert.equal(connectionError(failure('EWEIRD', 'odd'), server).message, `${server} cannot be reached: odd (EWEIRD)`)
    assert.equal(connectionError(new Error('odd'), server).message, `${server} cannot be reached: odd`)
    assert.equal(connectionError('odd', server).code, '')
  })

  it('N2 knows a server without TLS by what OpenSSL makes of its answer', () => {
    const error = connectionError(failure('EPROTO', 'ssl3_get_record:wrong version number'), server)
    assert.match(error.message, /does not speak TLS/)
  })

  it('N2 stays what it is when it was explained before', () => {
    const error = closedError('host')
    assert.equal(connectionError(error, server), error)
  })

  it('N2 is not tried again when only people can help', () => {
    const lasting = ['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_LOGIN']
    const passing = ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET', '']
    assert.deepEqual(
      [...lasting, ...passing].filter((code) => isLasting(new ConnectionError('', code))),
      lasting,
    )
  })
})
