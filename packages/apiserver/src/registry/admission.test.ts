import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
import { aConfigMap, startTestServer, urls } from '../testing/index.ts'
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts'

/** Labels ConfigMaps, and remembers what it was asked. */
function aLabeller(asked: string[]): AdmissionPlugin {
  const isMap = ({ served }: AdmissionRequest): boolean => served.type.resource === 'configmaps'
  return {
    name: 'Labeller',
    mutate: (request) => {
      if (!isMap(request)) return request.object
      asked.push(`mutate ${request.operation}`)
      const metadata = request.object['metadata'] as JsonObject
      return { ...request.object, metadata: { ...metadata, labels: { by: 'labeller' } } }
    },
    validate: (request) => {
      if (!isMap(request)) return
      const labels = (request.object?.['metadata'] as JsonObject | undefined)?.['labels']
      asked.push(
        `validate ${request.operation}${request.dryRun ? ' dry' : ''} ${JSON.stringify(labels ?? null)} ${request.old === undefined ? 'new' : 'old'}`,
      )
    },
  }
}

test('S5 mutators run before the object is complete, validators see what they made of it', async () => {
  const asked: string[] = []
  await using server = await startTestServer({ admission: [aLabeller(asked)] })
  const { metadata } = await server.create(urls.configMaps(), aConfigMap('a'))
  assert.deepEqual(metadata.labels, { by: 'labeller' })
  assert.deepEqual(asked, ['mutate CREATE', 'validate CREATE {"by":"labeller"} new'])
})

test('S5 updates and deletions are seen with the old object, dry runs as such', async () => {
  const asked: string[] = []
  await using server = await startTestServer({ admission: [aLabeller(asked)] })
  await server.create(urls.configMaps(), aConfigMap('a'))
  asked.length = 0
  await server.merge(`${urls.configMap('a')}?dryRun=All`, { data: { k: 'v' } })
  await server.remove(urls.configMap('a'))
  assert.deepEqual(asked, ['mutate UPDATE', 'validate UPDATE dry {"by":"labeller"} old', 'validate DELETE null old'])
})

test('S5 a refusal of one link is the answer, and nothing is written', async () => {
  const refusing: AdmissionPlugin = {
    name: 'Refusing',
    validate: ({ name }) => {
      if (name === 'bad') throw new ApiError(403, 'Forbidden', 'not this one')
    },
  }
  await using server = await startTestServer({ admission: [refusing] })
  const { revision } = server
  const status = await server.refused('POST', urls.configMaps(), aConfigMap('bad'))
  assert.deepEqual([status.code, status.message], [403, 'not this one'])
  assert.equal(server.revision, revision)
})
