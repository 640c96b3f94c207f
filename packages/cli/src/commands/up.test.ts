import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { version } from '../version.ts'
import { welcome } from './up.ts'

const ready = {
  url: 'https://127.0.0.1:6443',
  port: 6443,
  kubeconfig: '/my work/.windlass/data/kubeconfig',
  dataFolder: '/my work/.windlass/data',
}

describe('what windlass up says when it is ready', () => {
  it('where it is, where its files are, and lines to copy', () => {
    assert.equal(
      welcome(ready, {}),
      `Windlass ${version} is up at https://127.0.0.1:6443

  data        /my work/.windlass/data
  kubeconfig  /my work/.windlass/data/kubeconfig

Next, in another terminal:
  export KUBECONFIG='/my work/.windlass/data/kubeconfig'
  kubectl get hostedclusters -A

Ctrl-C ends it.`,
    )
  })

  it('that it took another port because the usual one is in use', () => {
    const elsewhere = { ...ready, url: 'https://127.0.0.1:40123', port: 40_123 }
    assert.match(welcome(elsewhere, {}), /40123\n\(port 6443 is in use, so it took a free one\)\n/)
    assert.doesNotMatch(welcome(elsewhere, { port: 0 }), /in use/)
  })

  it('that nothing is kept when all is in memory', () => {
    const { dataFolder: _, ...inMemory } = ready
    assert.match(welcome(inMemory, {}), /data {8}in memory: gone when this ends\n/)
  })
})
