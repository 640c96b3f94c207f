import type { ServerResponse } from 'node:http'

/** Server-sent events to everybody who follows something. */
export class Streams {
  readonly #open = new Map<string, Set<ServerResponse>>()

  /** Answers with a first event and keeps the answer open. */
  open(what: string, event: string, data: unknown, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write('retry: 500\n\n')
    response.write(eventOf(event, data))
    const followers = this.#open.get(what) ?? new Set()
    this.#open.set(what, followers.add(response))
    response.once('close', () => followers.delete(response))
  }

  send(what: string, event: string, data: unknown): void {
    const followers = this.#open.get(what)
    if (followers === undefined || followers.size === 0) return
    const text = eventOf(event, data)
    for (const response of followers) response.write(text)
  }

  drop(): void {
    for (const followers of this.#open.values()) for (const response of followers) response.destroy()
    this.#open.clear()
  }
}

function eventOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}
