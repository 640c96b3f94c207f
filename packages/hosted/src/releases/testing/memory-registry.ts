import type { Digest } from '../pullspec/index.ts'
import type { RegistryAnswer, RegistryRequest, RegistryTransport } from '../registry/index.ts'
import type { BuiltImage } from './release-image.ts'

/**
 * Something that goes wrong, or goes another way: an answer to be given instead, or undefined for the usual one. Throw to be unreachable;
 * return `new Promise(() => {})` never to answer.
 */
export type Fault = (request: RegistryRequest) => Answer | undefined | Promise<Answer | undefined>

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
}

interface Shelf {
  readonly manifests: Map<string, { readonly mediaType: string; readonly bytes: Buffer }>
  readonly blobs: Map<Digest, Buffer>
}

/**
 * Any number of registries, by host, and the record of what they were asked.
 *
 * Caveat: in virtual time, images must not be compressed (`compress: (archive) => archive`). Decompression has threads of its own, for which a virtual
 * clock does not wait.
 */
export class MemoryRegistry implements RegistryTransport {
  /** `GET https://example.com/v2/ocp/release/manifests/4.20.1`, in order. */
  readonly requests: string[] = []
  readonly #shelves = new Map<string, Shelf>()
  #faults: Fault[] = []

  /** Puts an image into a repository (`example.com/ocp/release`), under its digest and perhaps a tag. */
  push(repository: string, image: BuiltImage, tag?: string): void {
    const shelf = this.#shelves.get(repository) ?? { manifests: new Map(), blobs: new Map() }
    this.#shelves.set(repository, shelf)
    for (const [digest, manifest] of image.manifests) shelf.manifests.set(digest, manifest)
    for (const [digest, blob] of image.blobs) shelf.blobs.set(digest, blob)
    const tagged = image.manifests.get(image.digest)
    if (tag !== undefined && tagged !== undefined) shelf.manifests.set(tag, tagged)
  }

  /** From now on until the returned function is called. Later faults come before earlier ones. */
  fault(fault: Fault): () => void {
    this.#faults = [fault, ...this.#faults]
    return () => (this.#faults = this.#faults.filter((other) => other !== fault))
  }

  async send(request: RegistryRequest): Promise<RegistryAnswer> {
    this.requests.push(`${request.method} ${request.url.href}`)
    request.signal.throwIfAborted()
    const aborted = Promise.withResolvers<never>()
    const abort = (): void => aborted.reject(request.signal.reason)
    request.signal.addEventListener('abort', abort, { once: true })
    try {
      return await Promise.race([this.#answer(request), aborted.promise])
    } finally {
      request.signal.removeEventListener('abort', abort)
    }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #answer(request: RegistryRequest): Promise<RegistryAnswer> {
    for (const fault of this.#faults) {
      const answer = await fault(request)
      if (answer !== undefined) return toAnswer(answer)
    }
    return toAnswer(this.#usual(request))
  }

  #usual({ method, url }: RegistryRequest): Answer {
    if (url.pathname === '/v2/') return { status: 200 }
    const [, repository = '', kind = '', reference = ''] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(url.pathname) ?? []
    const shelf = this.#shelves.get(`${url.host}/${repository}`)
    if (kind === 'manifests') {
      const manifest = shelf?.manifests.get(reference)
      if (manifest === undefined) return refusal(404, 'MANIFEST_UNKNOWN', 'manifest unknown')
      const digest = [...(shelf?.manifests ?? [])].find(([name, other]) => other === manifest && name.includes(':'))?.[0] ?? ''
      const headers = { 'content-type': manifest.mediaType, 'docker-content-digest': digest }
      return { status: 200, headers, body: method === 'HEAD' ? '' : manifest.bytes }
    }
    const blob = shelf?.blobs.get(reference as Digest)
    return blob === undefined ? refusal(404, 'BLOB_UNKNOWN', 'blob unknown to registry') : { status: 200, body: blob }
  }
}

/** A refusal as registries write it. */
export function refusal(status: number, code: string, message: string): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ errors: [{ code, message }] }) }
}

function toAnswer({ status, headers = {}, body = '' }: Answer): RegistryAnswer {
  return { status, headers, body: chunksOf(body), discard: () => Promise.resolve() }
}

/** In small pieces, so that nothing can rely on getting everything at once. */
async function* chunksOf(body: NonNullable<Answer['body']>): AsyncGenerator<Uint8Array, void, undefined> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    yield* body
    return
  }
  const bytes = Buffer.from(body)
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000)
}
