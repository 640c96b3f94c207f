import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aHostedCluster } from '@windlass/api/fixtures'
import { clusterName, missing, oneOf } from './hosted-clusters.ts'

describe('the name of a hosted cluster', () => {
  it('has a namespace or not', () => {
    assert.deepEqual(clusterName('prod'), { name: 'prod' })
    assert.deepEqual(clusterName('prod', 'clusters'), { namespace: 'clusters', name: 'prod' })
    assert.deepEqual(clusterName('clusters/prod'), { namespace: 'clusters', name: 'prod' })
    assert.deepEqual(clusterName('clusters/prod', 'clusters'), { namespace: 'clusters', name: 'prod' })
  })

  it('is refused when it makes no sense', () => {
    for (const text of ['', '/', 'a/', '/b', 'a/b/c'])
      assert.throws(() => clusterName(text), { name: 'Failure', message: /write NAME, or NAMESPACE\/NAME$/ })
    assert.throws(() => clusterName('a/prod', 'b'), { message: 'a/prod is not in the namespace b: leave -n out' })
  })

  it('that several have is answered with all of them', () => {
    const found = ['b', 'a'].map((namespace) => aHostedCluster({ namespace }))
    assert.throws(() => oneOf(found, { name: 'prod' }), {
      message: 'there are 2 hosted clusters named prod: a/prod, b/prod. Choose one with -n',
    })
    assert.equal(oneOf(found.slice(1), { name: 'prod' }), found[1])
    assert.equal(oneOf([], { name: 'prod' }), undefined)
  })

  it('that nobody has is answered with some that are there', () => {
    assert.throws(() => missing({ name: 'prod' }, ['a/x', 'b/y']), { message: 'there is no hosted cluster prod: there are a/x, b/y' })
    assert.throws(() => missing({ namespace: 'a', name: 'prod' }, []), {
      message: /^there is no hosted cluster prod in the namespace a, nor any other: choose another cluster with --kubeconfig/,
    })
    assert.throws(() => missing({ name: 'prod' }, ['a', 'b', 'c', 'd', 'e', 'f']), {
      message: /there are a, b, c, d, e and others; kubectl get/,
    })
  })
})
