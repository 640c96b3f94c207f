import type { Clock, Duration } from '@windlass/core'
import { answerAsAgent } from './agent.ts'
import { type OcmFault, OcmFaults } from './faults.ts'
import { OcmMemory } from './memory.ts'
import { answerAsOcm } from './service.ts'
import type { OcmReply, OcmRequest } from './wire.ts'

/** A request, and what became of it. */
export interface RecordedRequest extends OcmRequest {
  /** Undefined when it got no answer. */
  readonly status: number | undefined
}

/** What is to be done about a request: an answer, perhaps later, or none at all. */
export interface OcmBehaviour {
  readonly after: Duration
  /** `refused`: nobody took it. `cut`: somebody did, and the connection breaks. */
  readonly reply: OcmReply | 'refused' | 'cut'
}

/**
 * OCM, or its agent in a cluster, with everything that can go wrong with it. Front doors (`serve.ts`, `transport.ts`) ask `behave` what to do about a request, and
 * do it.
 */
export class SimulatedOcm {
  readonly memory: OcmMemory
  readonly #answer: (memory: OcmMemory, request: OcmRequest) => OcmReply
  readonly #faults = new OcmFaults()
  readonly #requests: RecordedRequest[] = []

  /** An agent shares the memory of its OCM. */
  constructor(options: { readonly clock: Clock } | { readonly agentOf: SimulatedOcm }) {
    const isAgent = 'agentOf' in options
    this.memory = isAgent ? options.agentOf.memory : new OcmMemory(options.clock)
    this.#answer = isAgent ? answerAsAgent : answerAsOcm
  }

  /** Everything that it was asked, in order. */
  get requests(): readonly RecordedRequest[] {
    return this.#requests
  }

  fail(fault: OcmFault): void {
    this.#faults.add(fault)
  }

  /** From now on all is well. */
  recover(): void {
    this.#faults.clear()
  }

  behave(request: OcmRequest): OcmBehaviour {
    const fault = this.#faults.take(request)
    const behaviour = this.#behaviourOf(request, fault)
    const { reply } = behaviour
    this.#requests.push({ ...request, status: typeof reply === 'string' ? undefined : reply.status })
    return behaviour
  }

  #behaviourOf(request: OcmRequest, fault: OcmFault | undefined): OcmBehaviour {
    switch (fault?.is) {
      case undefined:
        return { after: 0, reply: this.#answered(request) }
      case 'down':
        return { after: 0, reply: 'refused' }
      case 'lost':
        this.#answered(request)
        return { after: 0, reply: 'cut' }
      case 'slow':
        return { after: fault.by, reply: this.#answered(request) }
      case 'status':
        return {
          after: 0,
          reply: this.#signed({ status: fault.status, headers: {}, body: JSON.stringify({ kind: 'Error', reason: 'simulated' }) }),
        }
      case 'wrong':
        return { after: 0, reply: this.#signed({ status: 200, headers: {}, body: '<html>Welcome</html>' }) }
      case 'stranger':
        return { after: 0, reply: this.#signed(strange(this.#answer(this.memory, request))) }
      default:
        return fault satisfies never
    }
  }

  #answered(request: OcmRequest): OcmReply {
    return this.#signed(this.#answer(this.memory, request))
  }

  /** Every answer names the operation that it belongs to. */
  #signed(reply: OcmReply): OcmReply {
    return { ...reply, headers: { ...reply.headers, 'x-operation-id': this.memory.nextOperation() } }
  }
}

/** The same answer about somebody else: no such cluster, where it was looked for. */
function strange({ status, headers, body }: OcmReply): OcmReply {
  const value: unknown = JSON.parse(body)
  const isList = typeof value === 'object' && value !== null && 'items' in value
  return { status, headers, body: JSON.stringify(isList ? { ...value, size: 0, total: 0, items: [] } : { kind: 'Cluster' }) }
}
