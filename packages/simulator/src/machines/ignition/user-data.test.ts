import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aSecret } from '@windlass/api/fixtures'
import { parseUserData } from './user-data.ts'

const encoded = (text: string): string => Buffer.from(text).toString('base64')
const secretWith = (value: string) => aSecret({ name: 'user-data-workers-a', type: 'Opaque', data: { value: encoded(value) } })

describe('user data', () => {
  it('says where the configuration is, what to show there, and whom to trust', () => {
    const ignition = {
      config: {
        merge: [
          {
            source: 'https://ignition.prod.example.com/ignition',
            httpHeaders: [
              { name: 'Authorization', value: 'Bearer b25l' },
              { name: 'NodePool', value: 'clusters/workers' },
              { name: 'TargetConfigVersionHash', value: '1a2b3c4d' },
            ],
          },
        ],
      },
      security: { tls: { certificateAuthorities: [{ source: `data:text/plain;base64,${encoded('CERTIFICATE')}` }] } },
    }
    assert.deepEqual(parseUserData(secretWith(JSON.stringify({ ignition }))), {
      url: 'https://ignition.prod.example.com/ignition',
      headers: { authorization: 'Bearer b25l', nodepool: 'clusters/workers', targetconfigversionhash: '1a2b3c4d' },
      authority: 'CERTIFICATE',
      tokenSecret: 'token-workers-1a2b3c4d',
    })
  })

  it('that cannot be read never starts a machine', () => {
    const problem = parseUserData(secretWith('not json'))
    assert.match(typeof problem === 'string' ? problem : '', /cannot be read/)
    assert.equal(parseUserData(secretWith('{}')), 'its user data does not say where its configuration is')
  })
})
