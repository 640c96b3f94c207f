import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { Failure, systemCode } from './failures.ts'
import { type Access, readKubeconfig } from './kubeconfig-file/index.ts'

interface Answer {
  readonly status: number
  readonly body: string
}

/** Asks the server that the kubeconfig leads to to forget its past. Gives the revision that history starts at from now on. */
export async function compact(kubeconfig: string): Promise<string> {
  const access = readKubeconfig(kubeconfig)
  const { status, body } = await post(access, '/windlass/compact')
  const answer = parseAnswer(body)
  if (status === 200 && typeof answer['compactedRevision'] === 'string') return answer['compactedRevision']
  if (status === 404 || status === 405) {
    throw new Failure(`${access.server} cannot be compacted from outside: it is no embedded server of Windlass`)
  }
  const reason = typeof answer['message'] === 'string' ? answer['message'] : 'it did not say why'
  throw new Failure(`${access.server} refused to compact (${status}): ${reason}`)
}

async function post(access: Access, path: string): Promise<Answer> {
  const url = `${access.server.replace(/\/+$/, '')}${path}`
  const options = {
    method: 'POST',
    // One request on one connection: nothing is left open that would keep the command from ending.
    agent: false as const,
    headers: {
      accept: 'application/json',
      'content-length': '0',
      ...(access.token === undefined ? {} : { authorization: `Bearer ${access.token}` }),
    },
  }
  const tls = {
    rejectUnauthorized: !access.isInsecure,
    ...(access.ca === undefined ? {} : { ca: access.ca }),
    ...(access.certificate === undefined ? {} : { cert: access.certificate }),
    ...(access.key === undefined ? {} : { key: access.key }),
    ...(access.serverName === undefined ? {} : { servername: access.serverName }),
  }
  return new Promise<Answer>((resolve, reject) => {
    const sent = url.startsWith('https:') ? httpsRequest(url, { ...options, ...tls }) : httpRequest(url, options)
    sent.on('error', reject)
    sent.on('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    sent.end()
  }).catch((error: unknown) => {
    throw new Failure(connectionSentence(error, access.server), { cause: error })
  })
}

/** The server's JSON; anything else is treated like an empty object. */
function parseAnswer(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const trustCodes: ReadonlySet<string | undefined> = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Why there is no answer, and what to do about it. */
export function connectionSentence(error: unknown, server: string): string {
  const code = systemCode(error)
  if (code === 'ECONNREFUSED') return `nothing answers at ${server}: start the server, or choose another kubeconfig with --kubeconfig`
  if (trustCodes.has(code)) return `${server} is not the server that the kubeconfig trusts (${code}): choose the kubeconfig that it wrote`
  return `${server} cannot be reached: ${error instanceof Error ? error.message : String(error)}`
}
