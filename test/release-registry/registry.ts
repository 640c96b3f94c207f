import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Digest } from '@windlass/hosted'
import type { BuiltImage } from '@windlass/hosted/testing'
import { Agent, request } from 'undici'

export interface RegistryOptions {
  readonly binary: string
  /** Where it keeps images. */
  readonly folder: string
  /** Any free one unless told. */
  readonly port?: number
  readonly tls?: { readonly certificate: string; readonly key: string }
  /** The `auth` section of its configuration. */
  readonly auth?: object
  /** What the test itself shows to it. */
  readonly authorization?: (repository: string) => string
}

/** A registry in a process of its own, on 127.0.0.1. */
export interface RunningRegistry {
  readonly port: number
  /** `127.0.0.1:port`, as it stands in pullspecs. */
  readonly host: string
  push(repository: string, image: BuiltImage, tag?: string): Promise<void>
  /** The file that holds a blob. */
  fileOf(blob: Digest): string
  stop(): Promise<void>
}

export async function startRegistry(options: RegistryOptions): Promise<RunningRegistry> {
  const { binary, folder, port = 0, tls, auth } = options
  mkdirSync(folder, { recursive: true })
  const configuration = {
    version: '0.1',
    storage: { filesystem: { rootdirectory: join(folder, 'images') } },
    http: { addr: `127.0.0.1:${port}`, ...(tls === undefined ? {} : { tls }) },
    ...(auth === undefined ? {} : { auth }),
  }
  const file = join(folder, 'configuration.json')
  writeFileSync(file, JSON.stringify(configuration))
  const child = spawn(binary, ['serve', file], { stdio: ['ignore', 'ignore', 'pipe'], env: { OTEL_TRACES_EXPORTER: 'none' } })
  const actualPort = await listening(child)
  const host = `127.0.0.1:${actualPort}`
  const base = `${tls === undefined ? 'http' : 'https'}://${host}`
  return {
    port: actualPort,
    host,
    push: (repository, image, tag) => push(base, repository, image, tag, options.authorization),
    fileOf(blob) {
      const hex = blob.slice('sha256:'.length)
      return join(folder, 'images/docker/registry/v2/blobs/sha256', hex.slice(0, 2), hex, 'data')
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** It says where it listens on standard error, among other things. */
function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      const port = /listening on 127\.0\.0\.1:(\d+)/.exec(said)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    child.once('error', reject)
    child.once('exit', (status) => reject(new Error(`docker-registry ended with status ${status}: ${said}`)))
  })
}

async function push(
  base: string,
  repository: string,
  image: BuiltImage,
  tag: string | undefined,
  authorization = (_: string) => '',
): Promise<void> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  const send = async (method: 'POST' | 'PUT', url: string, body?: Buffer, type?: string): Promise<string> => {
    const header = authorization(repository)
    const headers = { ...(header === '' ? {} : { authorization: header }), ...(type === undefined ? {} : { 'content-type': type }) }
    const answer = await request(url, { method, dispatcher, headers, ...(body === undefined ? {} : { body }) })
    const text = await answer.body.text()
    if (answer.statusCode > 202) throw new Error(`${method} ${url} was answered with ${answer.statusCode}: ${text}`)
    return String(answer.headers['location'] ?? '')
  }
  try {
    for (const [digest, blob] of image.blobs) {
      const upload = new URL(await send('POST', `${base}/v2/${repository}/blobs/uploads/`), base)
      upload.searchParams.set('digest', digest)
      await send('PUT', upload.href, blob, 'application/octet-stream')
    }
    // A list may only name manifests that are there, and comes after them.
    for (const [digest, { mediaType, bytes }] of image.manifests) {
      const names = digest === image.digest && tag !== undefined ? [digest, tag] : [digest]
      for (const name of names) await send('PUT', `${base}/v2/${repository}/manifests/${name}`, bytes, mediaType)
    }
  } finally {
    await dispatcher.close()
  }
}
