import type { IncomingMessage } from 'node:http'
import type { IgnitionQuestion } from './user-data.ts'

export interface IgnitionAnswer {
  readonly status: number
  readonly body: string
}

/** Asks for a configuration. Rejects when nobody answers. */
export type FetchIgnition = (question: IgnitionQuestion, signal: AbortSignal) => Promise<IgnitionAnswer>

export interface HttpsIgnitionOptions {
  /** Where to go instead of what the name in the question stands for: on a laptop nobody knows that name. Certificates must still be for it. */
  readonly connectTo?: { readonly host: string; readonly port: number }
}

/** Asks over HTTPS, and trusts the authority of the question alone, as a machine does. */
export function httpsIgnition({ connectTo }: HttpsIgnitionOptions = {}): FetchIgnition {
  return async ({ url, headers, authority }, signal) => {
    const { request } = process.getBuiltinModule('node:https')
    const target = new URL(url)
    const port = target.port === '' ? 443 : Number(target.port)
    const place = connectTo ?? { host: target.hostname, port }
    const { promise, resolve, reject } = Promise.withResolvers<IgnitionAnswer>()
    const asked = request(
      {
        ...place,
        path: `${target.pathname}${target.search}`,
        servername: target.hostname,
        headers: { ...headers, host: target.host },
        ca: authority,
        agent: false,
        signal,
      },
      (response) => {
        textOf(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
      },
    )
    asked.on('error', reject)
    asked.end()
    return promise
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) text += String(chunk)
  return text
}
