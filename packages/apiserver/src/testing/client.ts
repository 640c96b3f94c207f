import assert from 'node:assert/strict'
import type { User } from '../auth/index.ts'
import type { JsonObject } from '../json.ts'
import type { ApiRequest, ApiResponse } from '../server/request.ts'
import { Inbox } from './inbox.ts'

/** An object, a list or a Status as a client sees it: tests say what they look for in it. */
export interface Seen {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly uid: string
    readonly resourceVersion: string
    readonly generation: number
    readonly creationTimestamp: string
    readonly deletionTimestamp?: string
    readonly deletionGracePeriodSeconds?: number
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
    readonly ownerReferences?: readonly { readonly name: string; readonly uid: string }[]
    readonly managedFields?: readonly { readonly manager: string; readonly operation: string; readonly subresource?: string }[]
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly spec: Readonly<Record<string, unknown>>
  readonly status: Readonly<Record<string, unknown>>
  readonly data: Readonly<Record<string, string>>
  readonly items: readonly Seen[]
  /** Of a Status. */
  readonly code: number
  readonly reason?: string
  readonly message: string
  readonly details?: {
    readonly name?: string
    readonly kind?: string
    readonly group?: string
    readonly uid?: string
    readonly retryAfterSeconds?: number
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[]
  }
}

export interface Answer {
  readonly status: number
  readonly headers: ApiResponse['headers']
  readonly text: string
  /** The text as JSON; only where it is JSON. */
  readonly body: Seen
}

type Headers = Readonly<Record<string, string>>

const mergePatch = { 'content-type': 'application/merge-patch+json' }

/** Sends requests as one user. Methods named after verbs fail the test when the server refuses. */
export class Client {
  readonly #handle: (request: ApiRequest) => Promise<ApiResponse>
  readonly #user: User | undefined

  constructor(handle: (request: ApiRequest) => Promise<ApiResponse>, user: User | undefined) {
    this.#handle = handle
    this.#user = user
  }

  /** One request, one answer, whatever it is. Text is sent as it is, anything else as JSON. */
  async send(method: string, url: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const response = await this.#handle(this.#request(method, url, body, headers))
    assert.equal(response.watch, undefined, `${method} ${url} was answered with a watch`)
    const text = wholeBody(response.body).toString('utf8')
    response.release?.()
    return {
      status: response.status,
      headers: response.headers,
      text,
      get body() {
        return JSON.parse(text) as Seen
      },
    }
  }

  get(url: string, headers?: Headers): Promise<Seen> {
    return this.#expect(200, 'GET', url, undefined, headers)
  }

  create(url: string, object: JsonObject): Promise<Seen> {
    return this.#expect(201, 'POST', url, object)
  }

  /** Many, as many at once as the server takes from one user. */
  async createAll(url: string, objects: readonly JsonObject[]): Promise<void> {
    for (let start = 0; start < objects.length; start += 200) {
      await Promise.all(objects.slice(start, start + 200).map((object) => this.create(url, object)))
    }
  }

  replace(url: string, object: unknown): Promise<Seen> {
    return this.#expect(200, 'PUT', url, object)
  }

  merge(url: string, patch: JsonObject): Promise<Seen> {
    return this.#expect(200, 'PATCH', url, patch, mergePatch)
  }

  remove(url: string, options?: JsonObject): Promise<Seen> {
    return this.#expect(200, 'DELETE', url, options)
  }

  /** Names in a list, in its order. */
  async names(url: string): Promise<readonly string[]> {
    const { items } = await this.get(url)
    return items.map(({ metadata }) => metadata.name)
  }

  /** The Status of a request that must fail; a merge patch where the method is PATCH. */
  async refused(method: string, url: string, body?: unknown, headers: Headers = {}): Promise<Seen> {
    const answer = await this.send(method, url, body, method === 'PATCH' ? { ...mergePatch, ...headers } : headers)
    assert.ok(answer.status >= 400, `${method} ${url} was answered with ${answer.status}: ${answer.text}`)
    assert.equal(answer.body.code, answer.status)
    return answer.body
  }

  /** Opens a watch. It runs until its time is over or somebody leaves it. */
  async watch(url: string, { inbox = new Inbox(), headers = {} }: { inbox?: Inbox; headers?: Headers } = {}): Promise<Inbox> {
    const response = await this.#handle({ ...this.#request('GET', withWatch(url), undefined, headers), signal: inbox.signal })
    const { watch } = response
    assert.ok(watch !== undefined, `GET ${url} was answered with ${response.status}: ${wholeBody(response.body).toString('utf8')}`)
    void watch(inbox, inbox.signal)
    return inbox
  }

  #request(method: string, url: string, body: unknown, headers: Headers): ApiRequest {
    const base = { method, url, ...(this.#user === undefined ? {} : { user: this.#user }) }
    if (body === undefined) return { ...base, headers }
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    return { ...base, headers: { 'content-type': 'application/json', ...headers }, body: bytes }
  }

  async #expect(status: number, method: string, url: string, body?: unknown, headers: Headers = {}): Promise<Seen> {
    const answer = await this.send(method, url, body, headers)
    assert.equal(answer.status, status, `${method} ${url}: ${answer.text}`)
    return answer.body
  }
}

function withWatch(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}watch=true`
}

function wholeBody(body: ApiResponse['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  return Buffer.isBuffer(body) ? body : Buffer.concat([...body])
}
