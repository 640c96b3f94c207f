import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer, urls } from '../testing/index.ts'

test('L10 default, kube-system and kube-public cannot be deleted', async () => {
  await using server = await startTestServer()
  for (const name of ['default', 'kube-system', 'kube-public']) {
    const status = await server.refused('DELETE', urls.namespace(name))
    assert.equal(status.code, 403)
    assert.equal(status.message, `namespaces "${name}" is forbidden: this namespace may not be deleted`)
  }
  await server.remove(urls.namespace('kube-node-lease'))
})
