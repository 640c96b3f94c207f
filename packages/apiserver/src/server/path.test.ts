import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePath, splitCluster } from './path.ts'

/** `group/version resource namespace/name subresource`, with a dash for what is empty. */
function said(path: string): string {
  const target = parsePath(path)
  if (target.kind === 'other') return 'other'
  const { group, version, resource, namespace, name, subresource, isWatch, isTooDeep } = target.resource
  const words = [
    `${group || '-'}/${version}`,
    resource,
    `${namespace || '-'}/${name || '-'}`,
    subresource,
    isWatch ? 'watch' : '',
    isTooDeep ? 'too deep' : '',
  ]
  return words.filter((word) => word !== '').join(' ')
}

const paths: readonly [path: string, meaning: string][] = [
  ['/api/v1/nodes', '-/v1 nodes -/-'],
  ['/api/v1/nodes/n', '-/v1 nodes -/n'],
  ['/api/v1/nodes/n/status', '-/v1 nodes -/n status'],
  ['/api/v1/namespaces', '-/v1 namespaces -/-'],
  ['/api/v1/namespaces/x', '-/v1 namespaces x/x'],
  ['/api/v1/namespaces/x/status', '-/v1 namespaces x/x status'],
  ['/api/v1/namespaces/x/finalize', '-/v1 namespaces x/x finalize'],
  ['/api/v1/namespaces/x/pods', '-/v1 pods x/-'],
  ['/api/v1/namespaces/x/pods/p', '-/v1 pods x/p'],
  ['/api/v1/namespaces/x/pods/p/eviction', '-/v1 pods x/p eviction'],
  ['/api/v1/namespaces/x/pods/p/proxy/more', '-/v1 pods x/p proxy too deep'],
  ['/apis/g.io/v1/widgets', 'g.io/v1 widgets -/-'],
  ['/apis/g.io/v1/namespaces/x/widgets/w/scale', 'g.io/v1 widgets x/w scale'],
  ['/api/v1/watch/namespaces/x/pods', '-/v1 pods x/- watch'],
  ['/api/v1/watch/namespaces/x/pods/p', '-/v1 pods x/p watch'],
  ['/apis/g.io/v1/namespaces/x/widgets/', 'g.io/v1 widgets x/-'],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode', 'rbac.authorization.k8s.io/v1 clusterroles -/system:node'],
  ['/api', 'other'],
  ['/apis/g.io', 'other'],
  ['/apis/g.io/v1', 'other'],
  ['/readyz', 'other'],
  ['/', 'other'],
]

for (const [path, meaning] of paths) test(`${path} means ${meaning}`, () => assert.equal(said(path), meaning))

test('a broken escape is taken as it is', () => {
  assert.equal(said('/api/v1/nodes/%zz'), '-/v1 nodes -/%zz')
})

test('G1 what stands below /clusters/<name> belongs to that cluster, everything else to the root', () => {
  assert.deepEqual(splitCluster('/clusters/a/api/v1/pods'), { cluster: 'a', path: '/api/v1/pods' })
  assert.deepEqual(splitCluster('/clusters/a'), { cluster: 'a', path: '/' })
  assert.deepEqual(splitCluster('/api/v1/clusters/a'), { cluster: 'root', path: '/api/v1/clusters/a' })
  assert.deepEqual(splitCluster('/clusters'), { cluster: 'root', path: '/clusters' })
})
