import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { kubeconfig } from './kubeconfig.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

test('T1 a kubeconfig carries the CA, a client certificate and a token', () => {
  const text = kubeconfig({ server: 'https://127.0.0.1:6443', ca: 'CA', token: 'secret', clientCertificate: 'CRT', clientKey: 'KEY' })
  assert.deepEqual(parse(text), {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'windlass', cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': base64('CA') } }],
    users: [{ name: 'admin', user: { token: 'secret', 'client-certificate-data': base64('CRT'), 'client-key-data': base64('KEY') } }],
    contexts: [{ name: 'windlass', context: { cluster: 'windlass', user: 'admin' } }],
    'current-context': 'windlass',
  })
})

test('T1 plain HTTP carries insecure-skip-tls-verify and no CA', () => {
  const text = kubeconfig({ server: 'http://127.0.0.1:8080', ca: 'CA', token: 'secret', insecure: true })
  assert.deepEqual(parse(text).clusters[0].cluster, { server: 'http://127.0.0.1:8080', 'insecure-skip-tls-verify': true })
})

test('names and namespace can be chosen, and need no care with YAML', () => {
  const text = kubeconfig({ server: 'https://x/clusters/a', token: '123', cluster: 'yes', user: '0x1', context: 'a: b', namespace: 'no' })
  const read = parse(text)
  assert.deepEqual(read.contexts, [{ name: 'a: b', context: { cluster: 'yes', user: '0x1', namespace: 'no' } }])
  assert.equal(read['current-context'], 'a: b')
  assert.equal(read.users[0].user.token, '123')
})
