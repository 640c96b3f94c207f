import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fixedCredentials, type Identity } from '@windlass/kube'
import { credentialsFor } from './doors.ts'

const own = (identity: Partial<Identity> = {}) =>
  fixedCredentials({
    headers: { authorization: 'Bearer server', 'impersonate-user': 'deputy' },
    certificate: 'pem',
    key: 'key',
    ...identity,
  })

describe('how people get into a cluster', () => {
  it('by the link: as the kubeconfig does', () => {
    const credentials = own()
    assert.equal(credentialsFor({ by: 'link' }, credentials), credentials)
  })

  it('by a token: with nothing of the server in it', async () => {
    const identity = await credentialsFor({ by: 'token', token: 'hers' }, own()).identity()
    assert.deepEqual(identity, { headers: { authorization: 'Bearer hers' } })
  })

  it('by a certificate: the server asks in their name, whoever it pretends to be otherwise', async () => {
    const credentials = credentialsFor({ by: 'certificate', user: 'dora', groups: ['sre', 'system:masters'] }, own())
    const identity = await credentials.identity()
    assert.deepEqual(identity, {
      headers: { authorization: 'Bearer server', 'impersonate-user': 'dora', 'impersonate-group': ['sre', 'system:masters'] },
      certificate: 'pem',
      key: 'key',
    })
    assert.equal(await credentials.identity(), identity, 'connections are kept')
    const alone = await credentialsFor({ by: 'certificate', user: 'dora', groups: [] }, own()).identity()
    assert.ok(!('impersonate-group' in alone.headers))
  })
})
