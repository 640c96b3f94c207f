import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aHostedCluster } from '@windlass/api/fixtures'
import { clusterName, clusterPlace, missing, oneOf, onlyOne } from './hosted-clusters.ts'

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

describe('a hosted cluster in several members', () => {
  const found = (...namespaces: readonly string[]) => ({
    clusters: namespaces.map((namespace) => aHostedCluster({ namespace })),
    others: [],
  })

  it('may be named with its member', () => {
    assert.deepEqual(clusterPlace('east/clusters/prod'), { member: 'east', namespace: 'clusters', name: 'prod' })
    assert.deepEqual(clusterPlace('clusters/prod'), { namespace: 'clusters', name: 'prod' })
    assert.throws(() => clusterPlace('a/b/c/d'), { message: /names no hosted cluster/ })
  })

  it('is the one that has the name, or has to be told apart', () => {
    const east = { member: 'east', answer: found('clusters') }
    assert.equal(onlyOne({ answers: [east, { member: 'west', answer: found() }], lost: [] }, { name: 'prod' }).member, 'east')
    assert.throws(() => onlyOne({ answers: [east, { member: 'west', answer: found('clusters') }], lost: [] }, { name: 'prod' }), {
      message: 'there are 2 hosted clusters named prod: east/clusters/prod, west/clusters/prod. Say which one as MEMBER/NAMESPACE/NAME',
    })
    assert.throws(() => onlyOne({ answers: [{ member: 'east', answer: found('a', 'b') }], lost: [] }, { name: 'prod' }), {
      message: 'there are 2 hosted clusters named prod: a/prod, b/prod. Choose one with -n',
    })
  })

  it('that is not found may be where nobody could look', () => {
    const answers = [{ member: 'east', answer: { clusters: [], others: ['clusters/x'] } }]
    assert.throws(() => onlyOne({ answers, lost: [{ member: 'west', message: 'away' }] }, { name: 'prod' }), {
      message: 'there is no hosted cluster prod: there are clusters/x; nothing is known of west, where it may be',
    })
  })
})
