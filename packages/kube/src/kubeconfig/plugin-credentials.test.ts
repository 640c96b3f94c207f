import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { startEmbedded } from '@windlass/apiserver'
import { systemClock } from '@windlass/core'
import { HttpsTransport, type TransportOptions } from '../transport/index.ts'
import { parseKubeconfig } from './kubeconfig.ts'
import { aKubeconfig, pem } from './testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'windlass-plugin-'))
after(() => rmSync(folder, { recursive: true }))

const protocol = 'client.authentication.k8s.io/v1'

/** A program that prints the files `credential` and counts in `runs` how often it was started; `info` is what it was told. */
function aProgram(name: string): { readonly exec: object; give(credential: object | string): void; runs(): number; info(): unknown } {
  const file = (what: string): string => join(folder, `${name}.${what}`)
  const script = `
    const fs = require('node:fs')
    fs.appendFileSync(${JSON.stringify(file('runs'))}, '.')
    fs.writeFileSync(${JSON.stringify(file('info'))}, process.env.KUBERNETES_EXEC_INFO + process.env.EXTRA)
    process.stdout.write(fs.readFileSync(${JSON.stringify(file('credential'))}))`
  writeFileSync(file('js'), script)
  writeFileSync(file('runs'), '')
  return {
    exec: { apiVersion: protocol, command: process.execPath, args: [file('js')], env: [{ name: 'EXTRA', value: ' and more' }] },
    give: (credential) => writeFileSync(file('credential'), typeof credential === 'string' ? credential : JSON.stringify(credential)),
    runs: () => readFileSync(file('runs'), 'utf8').length,
    info: () => readFileSync(file('info'), 'utf8'),
  }
}

const credential = (status: object): object => ({ apiVersion: protocol, kind: 'ExecCredential', status })

function access(user: object, cluster: object = {}): Promise<TransportOptions> {
  const text = aKubeconfig({ clusters: { c: { server: 'https://c.example.com', ...cluster } }, users: { u: user } })
  return parseKubeconfig(text, { name: 'the kubeconfig f', folder, clock: systemClock, env: {} }).access()
}

const headersOf = async (options: TransportOptions): Promise<unknown> => (await options.credentials?.identity())?.headers

describe('a user who logs in by a program', () => {
  it('N22 is who the program says, by one run for all requests that wait', async () => {
    const program = aProgram('token')
    program.give(credential({ token: 'from-a-program' }))
    const { credentials } = await access({ exec: program.exec, as: 'jane' })
    assert.equal(program.runs(), 0)
    const [first, second] = await Promise.all([credentials?.identity(), credentials?.identity()])
    assert.deepEqual(first, { headers: { 'impersonate-user': 'jane', authorization: 'Bearer from-a-program' } })
    assert.equal(await credentials?.identity(), second)
    assert.equal(program.runs(), 1)
    const info = { apiVersion: protocol, kind: 'ExecCredential', spec: { interactive: false } }
    assert.equal(program.info(), `${JSON.stringify(info)} and more`)
  })

  it('N22 is asked again when the login has expired, and when the server refuses it', async () => {
    const program = aProgram('expiring')
    program.give(credential({ token: 'one', expirationTimestamp: '2020-01-01T00:00:00Z' }))
    const options = await access({ exec: program.exec })
    await headersOf(options)
    program.give(credential({ token: 'two', expirationTimestamp: '2100-01-01T00:00:00Z' }))
    const second = await options.credentials?.identity()
    assert.deepEqual([second?.headers, program.runs()], [{ authorization: 'Bearer two' }, 2])
    program.give(credential({ token: 'three' }))
    assert.deepEqual(await headersOf(options), { authorization: 'Bearer two' })
    assert.equal(second !== undefined && options.credentials?.refused?.(second), true)
    assert.deepEqual([await headersOf(options), program.runs()], [{ authorization: 'Bearer three' }, 3])
  })

  it('N22 learns about the cluster if it wants to, and may be beside the kubeconfig', async () => {
    const program = aProgram('informed')
    program.give(credential({ token: 't' }))
    writeFileSync(join(folder, 'login'), `#!/bin/sh\nexec ${process.execPath} ${join(folder, 'informed.js')}\n`)
    chmodSync(join(folder, 'login'), 0o755)
    const exec = { apiVersion: protocol, command: './login', provideClusterInfo: true }
    writeFileSync(join(folder, 'ca.pem'), pem('CERTIFICATE'))
    await headersOf(await access({ exec }, { 'certificate-authority': 'ca.pem', 'tls-server-name': 'kubernetes' }))
    const ca = Buffer.from(pem('CERTIFICATE')).toString('base64')
    assert.match(
      String(program.info()),
      new RegExp(`"cluster":\\{"server":"https://c.example.com","tls-server-name":"kubernetes","certificate-authority-data":"${ca}"\\}`),
    )
  })

  it('N22 reaches the embedded server: by a token that is replaced after a 401, and by a certificate', async () => {
    const embedded = await startEmbedded()
    const program = aProgram('embedded')
    const cluster = { server: embedded.url, 'certificate-authority-data': Buffer.from(embedded.ca).toString('base64') }
    const list = { method: 'GET', path: '/api/v1/namespaces' } as const
    try {
      program.give(credential({ token: 'stale' }))
      const byToken = new HttpsTransport(await access({ exec: program.exec }, cluster))
      assert.equal((await byToken.send(list)).status, 401)
      program.give(credential({ token: embedded.adminToken }))
      assert.equal((await byToken.send(list)).status, 200)
      const runs = program.runs()
      assert.equal((await byToken.send(list)).status, 200)
      assert.equal(program.runs(), runs)
      await byToken.close()

      const admin = await (
        await parseKubeconfig(embedded.kubeconfig, { name: 'k', clock: systemClock, env: {} }).access()
      ).credentials?.identity()
      program.give(credential({ clientCertificateData: admin?.certificate, clientKeyData: admin?.key }))
      const byCertificate = new HttpsTransport(await access({ exec: program.exec }, cluster))
      assert.equal((await byCertificate.send(list)).status, 200)
      await byCertificate.close()
    } finally {
      await embedded.close()
    }
  })

  for (const [what, user, sentence] of [
    [
      'is not there',
      { exec: { apiVersion: protocol, command: '/none/login', installHint: 'Get it from the shop.\nOr not.' } },
      /^the kubeconfig f: user u: the program \/none\/login of its exec cannot be started \(there is no such file\): Get it from the shop\.$/,
    ],
    [
      'fails',
      {
        exec: { apiVersion: protocol, command: process.execPath, args: ['-e', 'console.error("first\\nplease log in"); process.exit(1)'] },
      },
      /the program .*node.* of its exec failed: please log in$/,
    ],
    [
      'prints nonsense',
      { exec: { apiVersion: protocol, command: process.execPath, args: ['-e', 'console.log("hunter2")'] } },
      /of its exec did not print an ExecCredential$/,
    ],
    [
      'prints something else',
      { exec: { apiVersion: protocol, command: process.execPath, args: ['-e', 'console.log("{}")'] } },
      /of its exec did not print an ExecCredential$/,
    ],
    [
      'prints no login',
      { exec: { apiVersion: protocol, command: process.execPath, args: ['-e', 'console.log(`{"status":{}}`)'] } },
      /of its exec gave neither a token nor a certificate: log in again$/,
    ],
  ] satisfies [string, object, RegExp][]) {
    it(`N22 is told in one sentence when it ${what}, and no secret is quoted`, async () => {
      await assert.rejects(headersOf(await access(user)), (error: Error) => {
        assert.match(error.message, sentence)
        assert.doesNotMatch(`${error.message}${String(error.cause)}`, /hunter2/)
        return error.name === 'KubeconfigError'
      })
    })
  }

  it('N22 is not started when there is a token already', async () => {
    const program = aProgram('unused')
    assert.deepEqual(await headersOf(await access({ exec: program.exec, token: 'written' })), { authorization: 'Bearer written' })
    assert.equal(program.runs(), 0)
  })
})

describe('a user who logs in by OpenID Connect', () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const idToken = (expires: number): string => `${part({ alg: 'none' })}.${part({ exp: expires })}.${part({})}`

  it('N22 shows the token of the provider while it is valid', async () => {
    const token = idToken(Date.UTC(2100, 0, 1) / 1000)
    const options = await access({ 'auth-provider': { name: 'oidc', config: { 'id-token': token } } })
    assert.deepEqual(await headersOf(options), { authorization: `Bearer ${token}` })
  })

  it('N22 is told to log in again when it is not and cannot be renewed', async () => {
    const options = await access({ 'auth-provider': { name: 'oidc', config: { 'id-token': idToken(1) } } })
    await assert.rejects(headersOf(options), {
      message: 'the kubeconfig f: user u: the OpenID provider of its auth-provider gave neither a token nor a certificate: log in again',
    })
  })
})
