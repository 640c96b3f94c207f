import type { Clock } from '@windlass/core'
import { ConnectionError, type Transport } from '@windlass/kube'
import type { SimulatedOcm } from './simulated-ocm.ts'

/** The way to a simulated OCM without a network, by a clock: for simulations in virtual time. */
export function ocmTransport(ocm: SimulatedOcm, clock: Clock, host = 'ocm'): Transport {
  return {
    host,
    async send({ method, path, headers = {}, body, signal }) {
      signal?.throwIfAborted()
      const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString('utf8')
      const { after, reply } = ocm.behave({ method, path, headers, body: text })
      await clock.sleep(after, signal)
      if (reply === 'refused') throw new ConnectionError(`${host} refuses connections (ECONNREFUSED)`, 'ECONNREFUSED')
      if (reply === 'cut')
        throw new ConnectionError(`${host} closed the connection before its answer was complete (ECONNRESET)`, 'ECONNRESET')
      return { status: reply.status, headers: reply.headers, body: Buffer.from(reply.body) }
    },
    stream: () => Promise.reject(new Error('OCM has nothing that is streamed')),
    close: () => Promise.resolve(),
  }
}
