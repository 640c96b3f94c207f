import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ClusterOperator, ClusterVersionProgressInsight, Node, NodeProgressInsight, Pod } from '@windlass/api'
import { aClusterVersionProgressInsight, anUpdateHealthInsight } from '@windlass/api/fixtures'
import { parseTime } from '@windlass/core'
import { folderSource, latestTimeOn } from './folder-source.ts'

const root = mkdtempSync(join(tmpdir(), 'windlass-files-'))
after(() => rmSync(root, { recursive: true }))
let folders = 0

/** A folder with these files in it. */
function files(contents: Readonly<Record<string, string>>): string {
  const folder = join(root, String(folders++))
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

const named = (objects: readonly { readonly metadata: { readonly name?: string } }[]): readonly string[] =>
  objects.map(({ metadata: { name = '' } }) => name).toSorted((a, b) => (a < b ? -1 : 1))

describe('objects from files', () => {
  it('are one in a file, many documents, a List or a typed list, and in folders below', async () => {
    const source = folderSource(
      files({
        'one.yaml': 'apiVersion: v1\nkind: Node\nmetadata: {name: a}\nspec: {}\n',
        'many.yml':
          '---\napiVersion: v1\nkind: Node\nmetadata: {name: b}\n---\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: n}\nspec: {nodeName: a}\n',
        'deep/er/list.json': '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"c"}}]}',
        'co-insights.yaml':
          'apiVersion: config.openshift.io/v1\nkind: ClusterOperatorList\nitems: [{metadata: {name: etcd}, status: {}}]\n',
        'notes.txt': 'kind: Node\n',
        'values.yaml': 'replicas: 3\n',
      }),
    )
    assert.deepEqual(named(await source.list(Node)), ['a', 'b', 'c'])
    assert.deepEqual(named(await source.list(ClusterOperator)), ['etcd'])
    assert.deepEqual(named(await source.list(Pod, { nodeName: 'a' })), ['p'])
    assert.deepEqual(await source.list(Pod, { nodeName: 'b' }), [])
    assert.deepEqual(await source.list(Pod, { namespace: 'other' }), [])
    assert.equal((await source.find(Pod, { namespace: 'n', name: 'p' }))?.metadata.name, 'p')
    assert.equal(await source.find(Node, { name: 'd' }), undefined)
    assert.deepEqual(await source.list(NodeProgressInsight), [])
  })

  it('are looked at when they were written, or when somebody says', async () => {
    const insight = aClusterVersionProgressInsight()
    const folder = files({ 'cv-insights.yaml': JSON.stringify(insight) })
    assert.equal(folderSource(folder).now(), parseTime('2026-01-01T00:00:00Z'))
    assert.equal(folderSource(folder, 7).now(), 7)
    assert.equal((await folderSource(folder).find(ClusterVersionProgressInsight, { name: 'version' }))?.status?.completionPercent, 42)
  })

  it('are dated by what has been, not by estimates, nor by when a problem is said to have begun', () => {
    const { status, ...rest } = aClusterVersionProgressInsight({ metadata: { name: 'version', creationTimestamp: '2026-02-01T00:00:00Z' } })
    const health = anUpdateHealthInsight({ metadata: { name: 'a', creationTimestamp: '2027-01-01T00:00:00Z' } })
    assert.ok(status !== undefined)
    const insight = { ...rest, status: { ...status, estimatedCompletedAt: '2028-01-01T00:00:00Z', completedAt: '2026-01-01T00:40:00Z' } }
    assert.equal(latestTimeOn([insight, health]), parseTime('2026-01-01T00:40:00Z'))
    assert.equal(latestTimeOn([health]), undefined)
  })

  it('that are not there, or are no YAML, are reported by the name of the file', () => {
    assert.throws(() => folderSource(join(root, 'none')), { name: 'Failure', message: /none cannot be read: there is no such file/ })
    assert.throws(() => folderSource(files({ 'a.txt': '' })), { name: 'Failure', message: /^there are no objects in / })
    assert.throws(() => folderSource(files({ 'broken.yaml': 'a: [' })), {
      name: 'Failure',
      message: /broken\.yaml cannot be read: it is no YAML/,
    })
  })
})
