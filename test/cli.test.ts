/**
 * The `windlass` command as people run it: a process in a folder, with a terminal to talk to and signals to end it.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, client } from './support/client.ts'
import { openWatch } from './support/watch.ts'
import { credentialsIn, temporaryFolder, windlass } from './support/windlass.ts'

interface Ended {
  /** Null when a signal ended it. */
  readonly status: number | null
  readonly out: string
  readonly err: string
}

interface Running {
  /** Resolves with what it has printed when it has printed something. */
  readonly ready: Promise<string>
  readonly ended: Promise<Ended>
  signal(name: NodeJS.Signals): Promise<Ended>
}

const children = new Set<ChildProcess>()
const closers: (() => void)[] = []
const folders: string[] = []

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const close of closers.splice(0)) close()
})
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function aFolder(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}

function start(folder: string, args: readonly string[], nodeFlags: readonly string[] = []): Running {
  const child = spawn(process.execPath, [...nodeFlags, windlass, ...args], {
    cwd: folder,
    env: { ...process.env, KUBECONFIG: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let out = ''
  let err = ''
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  ready.catch(() => {})
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    resolve(out)
  })
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = once(child, 'close').then((): Ended => {
    children.delete(child)
    reject(new Error(`windlass ended before it was ready: ${err}`))
    return { status: child.exitCode, out, err }
  })
  return {
    ready,
    ended,
    signal(name) {
      child.kill(name)
      return ended
    },
  }
}

/** Runs a command that is expected to end by itself. */
const run = (folder: string, ...args: readonly string[]): Promise<Ended> => start(folder, args).ended

const defaultKubeconfig = (folder: string): string => join(folder, '.windlass', 'data', 'kubeconfig')

function connectBy(kubeconfig: string): Client {
  const api = client(credentialsIn(kubeconfig))
  closers.push(() => api.close())
  return api
}

async function takenPort(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  return { server, port: (server.address() as AddressInfo).port }
}

/** One sentence on stderr, nothing on stdout, status 1. */
function assertFailure(ended: Ended, sentence: RegExp): void {
  assert.match(ended.err, sentence)
  assert.match(ended.err, /^windlass: [^\n]+\n$/, 'one line, no stack')
  assert.deepEqual([ended.status, ended.out], [1, ''])
}

const aConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'note' }, data: { text: 'remember me' } }
const configMaps = '/api/v1/namespaces/default/configmaps'

describe('windlass apiserver', () => {
  it('prints one line when it is ready; by then the kubeconfig is there, for its owner alone', async () => {
    const folder = aFolder()
    const server = start(folder, ['apiserver', '--data-dir', 'data', '--port', '0', '--kubeconfig', 'access/admin.kubeconfig'])
    const line = await server.ready
    const file = join(folder, 'access', 'admin.kubeconfig')
    const { server: url } = credentialsIn(file)
    assert.equal(line, `windlass apiserver is ready at ${url}, kubeconfig in ${file}\n`)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(join(folder, 'access')), ['admin.kubeconfig'])
    const definitions = (await connectBy(file).get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions'))['items']
    assert.deepEqual(
      (definitions as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name),
      ['logicalclusters.windlass.dev'],
    )
    const { status, err } = await server.signal('SIGTERM')
    assert.deepEqual([status, err], [0, ''])
  })

  it('keeps data, users and credentials in .windlass/data of the current folder', async () => {
    const folder = aFolder()
    const first = start(folder, ['apiserver', '--port', '0'])
    await first.ready
    const before = credentialsIn(defaultKubeconfig(folder))
    await connectBy(defaultKubeconfig(folder)).create(configMaps, aConfigMap)
    assert.equal((await first.signal('SIGINT')).status, 0)

    const second = start(folder, ['apiserver', '--port', '0'])
    await second.ready
    const again = credentialsIn(defaultKubeconfig(folder))
    assert.deepEqual([again.token, again.ca], [before.token, before.ca])
    const note = await connectBy(defaultKubeconfig(folder)).get(`${configMaps}/note`)
    assert.deepEqual(note['data'], aConfigMap.data)
    assert.equal((await second.signal('SIGINT')).status, 0)
  })

  it('in memory leaves nothing on disk but the kubeconfig', async () => {
    const folder = aFolder()
    const server = start(folder, ['apiserver', '--memory', '--port', '0', '--kubeconfig', 'kubeconfig'])
    await server.ready
    assert.equal((await connectBy(join(folder, 'kubeconfig')).send('GET', '/readyz')).status, 200)
    await server.signal('SIGINT')
    assert.deepEqual(readdirSync(folder), ['kubeconfig'])
  })

  it('keeps data with the other engine, and knows whose data it is', async () => {
    const folder = aFolder()
    const args = ['apiserver', '--port', '0', '--engine', 'sqlite']
    const first = start(folder, args)
    await first.ready
    await connectBy(defaultKubeconfig(folder)).create(configMaps, aConfigMap)
    await first.signal('SIGTERM')
    const second = start(folder, args)
    await second.ready
    await connectBy(defaultKubeconfig(folder)).get(`${configMaps}/note`)
    await second.signal('SIGTERM')
    assertFailure(await run(folder, 'apiserver', '--port', '0'), /holds a store of the sqlite engine, not of lmdb/)
  })

  it('speaks plain HTTP when told to', async () => {
    const folder = aFolder()
    const server = start(folder, ['apiserver', '--memory', '--port', '0', '--plain-http', '--kubeconfig', 'kubeconfig'])
    const url = /http:\/\/\S+?:\d+/.exec(await server.ready)?.[0] ?? ''
    const outgoing = request(`${url}/livez`).end()
    const [incoming] = (await once(outgoing, 'response')) as [{ statusCode: number; resume(): void }]
    incoming.resume()
    assert.equal(incoming.statusCode, 200)
    assert.equal((await server.signal('SIGINT')).status, 0)
  })

  it('lets the users of a token file in', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'tokens.csv'), 'let-me-in,bob,7,"readers,writers"\nroot-token,alice,8,system:masters\n')
    const server = start(folder, ['apiserver', '--memory', '--port', '0', '--kubeconfig', 'kubeconfig', '--token-auth-file', 'tokens.csv'])
    await server.ready
    const credentials = credentialsIn(join(folder, 'kubeconfig'))
    const [bob, alice] = [client({ ...credentials, token: 'let-me-in' }), client({ ...credentials, token: 'root-token' })]
    closers.push(bob.close, alice.close)
    const refused = await bob.send('GET', configMaps)
    assert.equal(refused.status, 403)
    assert.match(String(refused.body['message']), /User "bob"/)
    await alice.get(configMaps)
    await server.signal('SIGINT')
  })
})

describe('windlass up', () => {
  it('has every kind of an OpenShift upgrade and says what to do next', async () => {
    const folder = aFolder()
    const server = start(folder, ['up', '--port', '0'])
    const said = await server.ready
    const kubeconfig = defaultKubeconfig(folder)
    assert.ok(said.includes(`is up at ${credentialsIn(kubeconfig).server}\n`))
    assert.ok(said.includes(`  export KUBECONFIG=${kubeconfig}\n  kubectl get hostedclusters,nodepools -A\n`))
    const api = connectBy(kubeconfig)
    await api.get('/apis/hypershift.openshift.io/v1beta1/hostedclusters')
    await api.get('/apis/upgrade.managed.openshift.io/v1alpha1/upgradeconfigs')
    const { status, err } = await server.signal('SIGINT')
    assert.deepEqual([status, err], [0, ''])
  })

  it('has the same data the next time', async () => {
    const folder = aFolder()
    const first = start(folder, ['up', '--port', '0'])
    await first.ready
    const { metadata } = await connectBy(defaultKubeconfig(folder)).create(configMaps, aConfigMap)
    await first.signal('SIGINT')
    const second = start(folder, ['up', '--port', '0'])
    await second.ready
    assert.deepEqual((await connectBy(defaultKubeconfig(folder)).get(`${configMaps}/note`))['metadata'], metadata)
    await second.signal('SIGINT')
  })

  it('takes a free port when the usual one is in use, and says so', async () => {
    const folder = aFolder()
    // Somebody else may have it already: as good.
    await takenPort(6443).catch(() => {})
    const server = start(folder, ['up', '--memory', '--kubeconfig', 'kubeconfig'])
    assert.match(
      await server.ready,
      /^Windlass \S+ is up at https:\/\/127\.0\.0\.1:(?!6443\n)\d+\n\(port 6443 is in use, so it took a free one\)\n/,
    )
    assert.equal((await connectBy(join(folder, 'kubeconfig')).send('GET', '/readyz')).status, 200)
    await server.signal('SIGINT')
  })
})

describe('signals', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`${signal} ends open watches and then the server, with status 0`, async () => {
      const folder = aFolder()
      const server = start(folder, ['apiserver', '--port', '0'])
      await server.ready
      const watch = await openWatch(credentialsIn(defaultKubeconfig(folder)), `${configMaps}?watch=true`, () => {})
      const { status, err } = await server.signal(signal)
      assert.deepEqual([status, err], [0, ''])
      await watch.ended
      assert.ok(!existsSync(join(folder, '.windlass', 'data', 'lock')), 'the folder is free')
    })
  }

  it('a second one does not wait for a client that never finishes its request', async () => {
    const folder = aFolder()
    const server = start(folder, ['apiserver', '--memory', '--port', '0', '--plain-http', '--kubeconfig', 'kubeconfig'])
    const port = Number(/:(\d+),/.exec(await server.ready)?.[1])
    // Without TLS there is no certificate authority, which the shared reader of kubeconfigs wants to see.
    const token = /token: (\S+)/.exec(readFileSync(join(folder, 'kubeconfig'), 'utf8'))?.[1]
    const socket = connect(port, '127.0.0.1')
    closers.push(() => socket.destroy())
    socket.on('error', () => {})
    const headers = ['host: x', `authorization: Bearer ${token}`, 'content-length: 100', 'expect: 100-continue']
    socket.write(`POST ${configMaps} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
    const [goAhead] = (await once(socket, 'data')) as [Buffer]
    assert.match(goAhead.toString(), /^HTTP\/1\.1 100 /)
    socket.write('{')
    void server.signal('SIGINT')
    await sleep(400)
    assert.equal((await server.signal('SIGINT')).status, 130)
  })
})

describe('what goes wrong is said in one sentence', () => {
  it('a port that is in use', async () => {
    const { port } = await takenPort()
    for (const command of ['up', 'apiserver']) {
      assertFailure(
        await run(aFolder(), command, '--port', String(port)),
        new RegExp(`^windlass: port ${port} on 127\\.0\\.0\\.1 is in use: stop what listens there, or choose another with --port`),
      )
    }
  })

  it('a data folder that cannot be one', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'data'), 'a file')
    for (const command of ['up', 'apiserver']) {
      assertFailure(
        await run(folder, command, '--data-dir', 'data', '--port', '0'),
        /data cannot be a data directory because a file is in its place/,
      )
    }
    assertFailure(
      await run(folder, 'up', '--data-dir', 'data/below', '--port', '0'),
      /a file is in its place: choose another data directory/,
    )
  })

  it('a damaged store', async () => {
    for (const [engine, name] of [
      ['lmdb', 'objects.mdb'],
      ['sqlite', 'objects.sqlite'],
    ] as const) {
      const folder = aFolder()
      const args = ['apiserver', '--port', '0', '--engine', engine]
      const server = start(folder, args)
      await server.ready
      await server.signal('SIGINT')
      writeFileSync(join(folder, '.windlass', 'data', name), Buffer.alloc(65_536, 'garbage'))
      assertFailure(await run(folder, ...args), /is damaged .*: restore a backup, or move it away to start with an empty store/)
    }
  })

  it('a second server on one folder', async () => {
    const folder = aFolder()
    const server = start(folder, ['up', '--port', '0'])
    await server.ready
    const kubeconfig = readFileSync(defaultKubeconfig(folder), 'utf8')
    for (const command of ['up', 'apiserver']) {
      assertFailure(
        await run(folder, command, '--port', '0'),
        /is in use by process \d+: stop that process, or choose another data directory/,
      )
    }
    assert.equal(readFileSync(defaultKubeconfig(folder), 'utf8'), kubeconfig, 'the first one can still be reached')
    await connectBy(defaultKubeconfig(folder)).get(configMaps)
    await server.signal('SIGINT')
  })

  it('a token file that is missing or broken', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'tokens.csv'), 'secret,bob,7\nonly-a-token\n')
    const args = ['apiserver', '--memory', '--port', '0', '--token-auth-file']
    assertFailure(await run(folder, ...args, 'none.csv'), /^windlass: the token file none\.csv cannot be read: there is no such file$/m)
    const ended = await run(folder, ...args, 'tokens.csv')
    assertFailure(ended, /^windlass: tokens\.csv:2: has 1 of at least 3 columns/)
    assert.doesNotMatch(ended.err, /only-a-token/)
  })

  it('a damaged credential', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, '.windlass', 'data', 'pki'), { recursive: true })
    writeFileSync(join(folder, '.windlass', 'data', 'pki', 'ca.key'), 'garbage')
    const sentence = /^windlass: credentials of \S+\.windlass\/data: ca\.key: is not a private key in PEM form\. Remove the file/
    assertFailure(await run(folder, 'apiserver', '--port', '0'), sentence)
  })

  it('a kubeconfig that leads to other clusters and would be lost', async () => {
    const folder = aFolder()
    const precious = 'apiVersion: v1\nkind: Config\nclusters:\n- name: production\n  cluster: {server: https://prod}\n'
    writeFileSync(join(folder, 'config'), precious)
    assertFailure(
      await run(folder, 'up', '--port', '0', '--kubeconfig', 'config'),
      /config is not a kubeconfig that Windlass wrote and would be lost/,
    )
    assert.equal(readFileSync(join(folder, 'config'), 'utf8'), precious)
    assert.deepEqual(readdirSync(folder), ['config'], 'nothing was begun')
  })

  it('a kubeconfig that cannot be written', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'file'), '')
    const ended = await run(folder, 'apiserver', '--port', '0', '--kubeconfig', 'file/kubeconfig')
    assertFailure(
      ended,
      /kubeconfig \S+ cannot be written \(a file is in the place of one of its folders\): choose another file with --kubeconfig/,
    )
  })

  it('an address that this machine does not have', async () => {
    assertFailure(
      await run(aFolder(), 'apiserver', '--memory', '--port', '0', '--host', '192.0.2.1'),
      /does not have the address 192\.0\.2\.1/,
    )
  })

  it('a wrong command line, with status 2', async () => {
    for (const args of [['up', '--fast'], ['lift'], ['up', '--port', 'many'], ['compact', 'now']]) {
      const { status, out, err } = await run(aFolder(), ...args)
      assert.deepEqual([status, out], [2, ''])
      assert.match(err, /^windlass: .+\n(\(Did you mean .+\n)?Run 'windlass.* --help' to see what it takes\.\n$/)
    }
  })

  it('a Node that is too old', async () => {
    const pretend = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.19.0'}})`
    assertFailure(await start(aFolder(), ['up'], ['--import', pretend]).ended, /^windlass: needs Node 24 or newer, and this is 20\.19\.0: /)
  })
})

describe('windlass compact', () => {
  it('makes a running server forget the past, not the present', async () => {
    const folder = aFolder()
    const server = start(folder, ['apiserver', '--port', '0'])
    await server.ready
    const api = connectBy(defaultKubeconfig(folder))
    const created = (await api.create(configMaps, aConfigMap))['metadata'] as { resourceVersion: string }
    await api.merge(`${configMaps}/note`, { data: { text: 'changed' } })
    const { status, out, err } = await run(folder, 'compact')
    assert.deepEqual([status, err], [0, ''])
    const revision = Number(/^compacted: history starts at revision (\d+)\n$/.exec(out)?.[1])
    assert.ok(revision > Number(created.resourceVersion))
    const old = await api.send('GET', `${configMaps}?resourceVersion=${created.resourceVersion}&resourceVersionMatch=Exact`)
    assert.equal(old.status, 410)
    assert.deepEqual((await api.get(`${configMaps}/note`))['data'], { text: 'changed' })

    assert.equal((await run(folder, 'compact', '--kubeconfig', '.windlass/data/kubeconfig')).status, 0)
    await server.signal('SIGINT')
    assertFailure(await run(folder, 'compact'), /^windlass: nothing answers at https:\/\/127\.0\.0\.1:\d+: start the server/)
  })
})
