import type { Random } from '@windlass/core'
import type { Answer, Client } from '../support/client.ts'
import type { Change, Ledger } from './ledger.ts'

export const collection = '/api/v1/namespaces/default/configmaps'

const namesPerWriter = 8

/**
 * Creates, updates, patches and deletes objects that nobody else touches, one request at a time, until the server is gone. Every write
 * carries a value never used before, so that a stored object tells which write made it.
 */
export class Writer {
  readonly #id: number
  readonly #random: Random
  readonly #ledger: Ledger
  #written = 0

  constructor(id: number, random: Random, ledger: Ledger) {
    this.#id = id
    this.#random = random
    this.#ledger = ledger
  }

  async run(api: Client): Promise<void> {
    while (await this.#step(api)) continue
  }

  /** False when the connection broke. */
  async #step(api: Client): Promise<boolean> {
    const name = `writer-${this.#id}-${this.#random.below(namesPerWriter)}`
    const state = this.#ledger.current(name)
    const value = `${this.#id}/${++this.#written}`
    const asked = this.#ledger.highest
    const { change, request, status } = this.#choose(name, value, state)
    let answer: Answer
    try {
      answer = await request(api)
    } catch {
      this.#ledger.doubt(name, change)
      return false
    }
    if (answer.status !== status) throw new Error(`${change.type} of ${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
    const { resourceVersion } = answer.body.metadata as { resourceVersion?: string }
    this.#ledger.acknowledge(name, change, asked, resourceVersion === undefined ? undefined : Number(resourceVersion))
    return true
  }

  #choose(name: string, value: string, state: ReturnType<Ledger['current']>): Choice {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { value, ballast: 'x'.repeat(this.#random.below(2000)) },
    }
    if (state === undefined) {
      return { change: { type: 'ADDED', value }, status: 201, request: (api) => api.send('POST', collection, object) }
    }
    const path = `${collection}/${name}`
    const dice = this.#random.below(4)
    if (dice === 0) {
      return { change: { type: 'DELETED', value: state.value }, status: 200, request: (api) => api.send('DELETE', path) }
    }
    const change: Change = { type: 'MODIFIED', value }
    if (dice === 1) {
      const headers = { 'content-type': 'application/merge-patch+json' }
      return { change, status: 200, request: (api) => api.send('PATCH', path, { data: { value } }, headers) }
    }
    const next = { ...object, metadata: { name, resourceVersion: String(state.revision) } }
    return { change, status: 200, request: (api) => api.send('PUT', path, next) }
  }
}

interface Choice {
  readonly change: Change
  readonly status: number
  readonly request: (api: Client) => Promise<Answer>
}
