import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import type { Transport, TransportOptions } from '@windlass/kube'
import { Ways } from './ways.ts'

function opening(env: Readonly<Record<string, string>> = {}) {
  const opened: TransportOptions[] = []
  const closed: string[] = []
  const connect = (options: TransportOptions): Transport => {
    opened.push(options)
    return {
      host: options.server,
      send: () => Promise.reject(new Error('nothing is sent')),
      stream: () => Promise.reject(new Error('nothing is streamed')),
      close: () => Promise.resolve(void closed.push(`${options.server}${options.ca ?? ''}`)),
    }
  }
  return { ways: new Ways(new VirtualClock(), env, connect), opened, closed }
}

describe('a way to a server', () => {
  it('is opened once, and anew when the server has moved or shows another certificate', async () => {
    const { ways, opened, closed } = opening()
    const first = ways.to('a', { server: 'https://one', ca: '1' })
    assert.equal(ways.to('a', { server: 'https://one', ca: '1' }).transport, first.transport)
    assert.notEqual(ways.to('a', { server: 'https://one', ca: '2' }).transport, first.transport)
    ways.to('a', { server: 'https://two', ca: '2' })
    assert.equal(opened.length, 3)
    assert.deepEqual(closed, ['https://one1', 'https://one2'])
    await ways.close()
    assert.equal(closed.length, 3)
  })

  it('leads through the proxies of the environment, but for who wants none and for hosts that need none', () => {
    const { ways, opened } = opening({ HTTPS_PROXY: 'http://proxy:3128', no_proxy: '.svc,.cluster.local' })
    ways.to('ocm', { server: 'https://api.openshift.com' })
    ways.to('agent', { server: 'https://agent.example.com', isDirect: true })
    ways.to('prometheus', { server: 'https://prometheus-k8s.openshift-monitoring.svc.cluster.local:9091' })
    assert.deepEqual(
      opened.map(({ proxy }) => proxy),
      ['http://proxy:3128', undefined, undefined],
    )
    assert.ok(opened.every(({ connectTimeout }) => connectTimeout === 30_000))
  })

  it('has nothing in its name that is secret', () => {
    assert.equal(opening().ways.to('a', { server: 'https://me:pw@one.example.com/base/' }).server, 'https://one.example.com/base')
  })
})
