/** A thread that scrapes: reads a URL to its end whenever it is told one, and answers how long that took, in milliseconds, and how many bytes it was. */
import { get } from 'node:http'
import { parentPort } from 'node:worker_threads'

export interface Scrape {
  readonly milliseconds: number
  readonly bytes: number
}

parentPort?.on('message', (url: string) => {
  const started = performance.now()
  get(url, (response) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a thread, no window
    response.on('end', () => parentPort?.postMessage({ milliseconds: performance.now() - started, bytes } satisfies Scrape))
  })
})
