import { request } from 'node:https'
import type { Credentials } from './windlass.ts'

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: Record<string, unknown>
}

export interface OpenWatch {
  /** Resolves when the stream is over, whoever ended it. */
  readonly ended: Promise<void>
  close(): void
}

/**
 * Opens a watch on a connection of its own and hands over each event as it comes; rejects when the server refuses. A line that the end
 * of the connection cut in two was never said.
 */
export function openWatch({ server, ca, token }: Credentials, path: string, onEvent: (event: WatchEvent) => void): Promise<OpenWatch> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server}${path}`, { ca, agent: false, headers: { authorization: `Bearer ${token}` } }, (incoming) => {
      incoming.setEncoding('utf8')
      let text = ''
      incoming.on('data', (chunk: string) => {
        text += chunk
        if (incoming.statusCode !== 200) return
        const lines = text.split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) onEvent(JSON.parse(line) as WatchEvent)
      })
      incoming.on('error', () => {})
      const ended = new Promise<void>((done) => incoming.once('close', done))
      if (incoming.statusCode === 200) resolve({ ended, close: () => outgoing.destroy() })
      else void ended.then(() => reject(new Error(`the watch of ${path} was refused with ${incoming.statusCode}: ${text}`)))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
