import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type Answer, type Client, client } from './support/client.ts'
import { until } from './support/until.ts'
import { type RunningServer, startServer } from './support/windlass.ts'
import { clusterApi } from './upstream-crds/cluster-api.ts'
import { type Definition, definitionsIn, isUpstreamHere, ownFolder, upstreamFolder, type Version } from './upstream-crds/definitions.ts'
import { hypershift } from './upstream-crds/hypershift.ts'
import { kubectl } from './upstream-crds/kubectl.ts'
import { merged } from './upstream-crds/merged.ts'
import { openshift } from './upstream-crds/openshift.ts'
import { ours } from './upstream-crds/ours.ts'
import type { Sample } from './upstream-crds/sample.ts'
import { Target } from './upstream-crds/target.ts'

const samples: Readonly<Record<string, Sample>> = { ...hypershift, ...openshift, ...clusterApi, ...ours }

const words = { create: 'create it', update: 'update it', status: 'take a status' } as const

/** Our own CRDs are always here; those of real clusters are installed as well where they can be found. */
for (const [whose, folder] of [['ours', ownFolder], ...(isUpstreamHere ? [['upstream', upstreamFolder] as const] : [])] as const) {
  describe(`the CRDs of ${whose === 'ours' ? 'deploy/crds' : 'real clusters'}`, () => {
    const definitions = definitionsIn(folder)
    let server: RunningServer
    let api: Client

    before(async () => {
      server = await startServer({ args: ['--memory'] })
      api = client(server)
    })
    after(async () => {
      api.close()
      await server.stop()
      rmSync(server.directory, { recursive: true, force: true })
    })

    it('V1 are accepted and become established', async (t) => {
      if (!isUpstreamHere) t.diagnostic(`${upstreamFolder} is not here: only the CRDs of deploy/crds are looked at`)
      if (kubectl === undefined) t.diagnostic('there is no kubectl in the path: refusals are read from the API alone')
      assert.ok(definitions.length > 20, `only ${definitions.length} CRDs in ${folder}`)
      for (const definition of definitions) {
        const { status, body } = await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
        // The server brings LogicalCluster along.
        const expected = definition.metadata.name === 'logicalclusters.windlass.dev' ? 409 : 201
        assert.equal(status, expected, `${definition.metadata.name}: ${JSON.stringify(body)}`)
      }
      for (const definition of definitions) {
        await until(`${definition.metadata.name} to be established`, async () => isEstablished(api, definition), 10_000)
      }
    })

    for (const definition of definitions) {
      const { version, sample, kind } = chosen(definition)
      describe(kind, () => {
        const target = new Target(definition, version, sample)
        let path: string

        before(() => {
          path = `${target.collection}/${target.name}`
        })

        it('V5 V6 is created, pruned and defaulted', async () => {
          const { isPruned } = target
          const nonsense = { nonsense: 1, ...(isPruned ? { spec: { nonsense: { deep: true } } } : {}) }
          const unknown = ['unknown field "nonsense"', ...(isPruned ? ['unknown field "spec.nonsense"'] : [])]
          const object = merged(target.object, nonsense)
          const strict = await api.send('POST', `${target.collection}?fieldValidation=Strict`, object)
          const complaint = `${kind} in version "${version.name}" cannot be handled as a ${kind}: strict decoding error: ${unknown.join(', ')}`
          assert.deepEqual([strict.status, strict.body.message], [400, complaint])
          const created = await api.send('POST', target.collection, object)
          assert.equal(created.status, 201, JSON.stringify(created.body))
          assert.deepEqual(warnings(created), unknown)
          const wanted = merged(merged(sample.spec, sample.defaults ?? {}), (whose === 'upstream' && sample.upstreamDefaults) || {})
          assert.deepEqual(created.body.spec, wanted)
          assert.deepEqual(Object.keys(created.body).toSorted(), ['apiVersion', 'kind', 'metadata', 'spec'])
          assert.deepEqual((await api.get(path)).spec, wanted)
        })

        if (sample.status !== undefined) {
          it('O5 takes a status', async () => {
            assert.deepEqual((await api.merge(`${path}/status`, { status: sample.status })).status, sample.status)
          })
        }

        for (const refusal of sample.refused) {
          if (refusal.only !== undefined && refusal.only !== whose) continue
          it(`V7 V9 V12 refuses to ${words[refusal.how]} with ${refusal.says.join(' and ')}`, async () => {
            const before = refusal.how === 'create' ? undefined : await api.get(path)
            const { status, body } = await target.attempt(api, refusal)
            assert.equal(status, 422, JSON.stringify(body))
            assert.deepEqual(asShown(body), target.complaint(refusal))
            if (kubectl !== undefined) assert.deepEqual(lines(await target.attemptWithKubectl(server, refusal)), target.complaint(refusal))
            if (before !== undefined) assert.deepEqual(await api.get(path), before)
          })
        }
      })
    }
  })
}

function chosen(definition: Definition): { version: Version; sample: Sample; kind: string } {
  const version = definition.spec.versions.find(({ storage }) => storage)
  const sample = samples[`${definition.metadata.name}/${version?.name}`]
  if (version === undefined || sample === undefined) throw new Error(`there is no sample of ${definition.metadata.name}/${version?.name}`)
  return { version, sample, kind: definition.spec.names.kind }
}

async function isEstablished(api: Client, { metadata }: Definition): Promise<boolean> {
  const { status } = await api.get(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`)
  const { conditions = [] } = (status ?? {}) as { conditions?: readonly { type: string; status: string }[] }
  return conditions.some(({ type, status: value }) => type === 'Established' && value === 'True')
}

/** What kubectl makes of a refusal. */
function asShown({ details }: Answer['body']): readonly string[] {
  const { kind, name, causes } = details as { kind: string; name: string; causes: readonly { field: string; message: string }[] }
  return [`The ${kind} "${name}" is invalid`, ...causes.map(({ field, message }) => `${field}: ${message}`).toSorted()]
}

/** `The X "a" is invalid: cause`, or the causes below it with a star each; a real server gives them in no fixed order. */
function lines(complaint: string): readonly string[] {
  const [first = '', ...rest] = complaint.trim().split('\n')
  const [, head = first, only = ''] = /^(The .*? is invalid): ?(.*)$/.exec(first) ?? []
  return [head, ...(only === '' ? [] : [only]), ...rest.map((line) => line.replace(/^\* /, '')).toSorted()]
}

function warnings({ headers }: Answer): readonly string[] {
  const given = headers['warning']
  const all = typeof given === 'string' ? given.split(/, (?=299 )/) : (given ?? [])
  return all.map((warning) => warning.replace(/^299 - "(.*)"$/, '$1').replaceAll('\\"', '"'))
}
