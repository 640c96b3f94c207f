import { rmSync } from 'node:fs'
import type { KubernetesObject } from '@windlass/api'
import type { Change } from '@windlass/apiserver'
import { client } from '../support/client.ts'
import { install } from '../support/install.ts'
import { startServer } from '../support/windlass.ts'
import { type Definition, definitionsIn, upstreamFolder } from '../upstream-crds/definitions.ts'
import { recordedKinds } from './stage.ts'

interface Written extends KubernetesObject {
  readonly spec?: object
  readonly status?: object
}

/** What a server that has upstream's definitions says against objects that were written elsewhere: every state that each was ever in
 * is offered to it, but for those that differ in numbers and times alone. */
export async function refusals(changes: readonly Change[]): Promise<readonly string[]> {
  const definitions = definitionsIn(upstreamFolder)
  const server = await startServer({ args: ['--memory'] })
  const api = client(server)
  try {
    await install(
      server,
      recordedKinds.map((kind) => found(definitions, `${kind.plural}.${kind.group}`)),
    )
    const refused: string[] = []
    const present = new Set<string>()
    const seen = new Set<string>()
    for (const { type, bytes } of changes) {
      const { apiVersion, kind: name, metadata, spec = {}, status } = JSON.parse(bytes.toString()) as Written
      const kind = recordedKinds.find((each) => each.kind === name)
      if (kind === undefined || type === 'deleted') continue
      const collection = `/apis/${kind.group}/${kind.version}/${kind.plural}`
      const path = `${collection}/${metadata.name}`
      const { labels, annotations } = metadata
      const shape = `${path} ${JSON.stringify([labels, spec, status])}`.replaceAll(/\d+/g, '0')
      if (seen.has(shape)) continue
      seen.add(shape)
      const body = { apiVersion, kind: name, metadata: { name: metadata.name, labels, annotations }, spec }
      const note = ({ status: code, body: answer, headers }: Awaited<ReturnType<typeof api.send>>, expected: number): void => {
        if (code !== expected || headers['warning'] !== undefined)
          refused.push(`${path}: ${code} ${JSON.stringify(headers['warning'] ?? answer)}`)
      }
      if (present.has(path)) note(await api.send('PATCH', path, body, merging), 200)
      else note(await api.send('POST', collection, body), 201)
      present.add(path)
      // Not a merge patch: to that, the nulls of a cluster version would mean that there is nothing.
      const replacing = [{ op: 'add', path: '/status', value: status }]
      if (status !== undefined) note(await api.send('PATCH', `${path}/status`, replacing, patching), 200)
    }
    return [...new Set(refused)]
  } finally {
    api.close()
    await server.stop()
    rmSync(server.directory, { recursive: true, force: true })
  }
}

const merging = { 'content-type': 'application/merge-patch+json' } as const
const patching = { 'content-type': 'application/json-patch+json' } as const

function found(definitions: readonly Definition[], name: string): Definition {
  const definition = definitions.find(({ metadata }) => metadata.name === name)
  if (definition === undefined) throw new Error(`there is no ${name} in ${upstreamFolder}`)
  return definition
}
