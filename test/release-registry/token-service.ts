import { sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Certificate } from './certificate.ts'

/** Gives tokens to whoever knows the password, as the services of large registries do. */
export interface TokenService {
  readonly host: string
  /** What the registry has to know about it. */
  readonly auth: object
  /** How many tokens were given. */
  readonly given: () => number
  issue(repository: string, actions: readonly string[]): string
  close(): Promise<void>
}

const service = 'registry.test'
const issuer = 'windlass test'

export async function startTokenService(certificate: Certificate, user: string, password: string): Promise<TokenService> {
  let given = 0
  const issue = (repository: string, actions: readonly string[]): string => {
    const now = Math.floor(Date.now() / 1000)
    const certificateChain = [certificate.certificate.replace(/-----[A-Z ]+-----|\s/g, '')]
    return signed(
      { typ: 'JWT', alg: 'ES256', x5c: certificateChain },
      {
        iss: issuer,
        sub: user,
        aud: service,
        iat: now,
        nbf: now - 10,
        exp: now + 300,
        jti: String(given),
        access: [{ type: 'repository', name: repository, actions }],
      },
      certificate.key,
    )
  }
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const server = createServer((incoming, outgoing) => {
    const { searchParams } = new URL(incoming.url ?? '/', 'http://127.0.0.1')
    const repository = /^repository:(.+):pull$/.exec(searchParams.get('scope') ?? '')?.[1]
    if (incoming.headers.authorization !== expected || searchParams.get('service') !== service || repository === undefined) {
      outgoing.writeHead(401, { 'content-type': 'application/json' }).end('{"errors":[{"code":"DENIED","message":"no such user"}]}')
      return
    }
    given++
    outgoing
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ token: issue(repository, ['pull']), expires_in: 300 }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    auth: { token: { realm: `http://${host}/token`, service, issuer, rootcertbundle: certificate.certificateFile } },
    given: () => given,
    issue,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function signed(header: object, claims: object, key: string): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
